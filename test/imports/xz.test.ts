import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decompressXz } from '../../results/imports/xz.js';

const packed = readFileSync(join(import.meta.dirname, '../golden/exchange/hakari-bm25.json.xz'));

test('an xz file is unpacked, two of them one after the other too', async () => {
  const once = await decompressXz(packed, 'a.xz');
  expect(JSON.parse(new TextDecoder().decode(once)).model.method).toBe('bm25');
  const twice = await decompressXz(Buffer.concat([packed, packed]), 'a.xz');
  expect(Buffer.compare(twice, Buffer.concat([once, once]))).toBe(0);
});

test('no more than the limit is unpacked', async () => {
  const { length } = await decompressXz(packed, 'a.xz');
  expect(await decompressXz(packed, 'a.xz', length)).toHaveLength(length);
  await expect(decompressXz(packed, 'a.xz', length - 1)).rejects.toThrow(
    `unpacks to more than ${length - 1} bytes: a.xz`,
  );
});

test('what follows the stream is not passed over', async () => {
  await expect(decompressXz(Buffer.concat([packed, Buffer.from('more')]), 'a.xz')).rejects.toMatchObject({
    code: 'damaged',
  });
});
