/** A safetensors file: the header's length, the header, the data. */
export function safetensors(
  tensors: Readonly<Record<string, { dtype: string; shape: number[]; data: Uint8Array }>>,
): Buffer {
  let at = 0;
  const header = Object.fromEntries(
    Object.entries(tensors).map(([name, { dtype, shape, data }]) => {
      const from = at;
      at += data.length;
      return [name, { dtype, shape, data_offsets: [from, at] }];
    }),
  );
  const text = Buffer.from(JSON.stringify({ __metadata__: { format: 'pt' }, ...header }));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, ...Object.values(tensors).map(({ data }) => data)]);
}
