/**
 * Fields of a Protocol Buffers message (encoding guide, proto3): a tag of field number and wire type, then a varint, or a
 * length and that many bytes. Enough to write small ONNX graphs without a library.
 */
export function whole(field: number, value: number): Uint8Array {
  return Uint8Array.from([...varint(field * 8), ...varint(value)]);
}

export function text(field: number, value: string): Uint8Array {
  return nested(field, new TextEncoder().encode(value));
}

export function nested(field: number, ...content: readonly Uint8Array[]): Uint8Array {
  const length = content.reduce((sum, bytes) => sum + bytes.length, 0);
  return message([Uint8Array.from([...varint(field * 8 + 2), ...varint(length)]), ...content]);
}

export function message(fields: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(fields.flatMap((bytes) => [...bytes]));
}

/** Seven bits a byte, least first; of whole numbers from 0 to 2^53 - 1. */
function varint(value: number): number[] {
  const bytes = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1] += 128;
    bytes.push(rest % 128);
  }
  return bytes;
}
