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

/** Written by xz 5 from `a` to `l`, 100 000 times each: `xz -9`, 1.2 MB, of which the decoder gives 64 KiB at a time. */
const letters = [
  '/Td6WFoAAATm1rRGAgAhARwAAAAQz1jM8k9/ARxdADDv+7/+o7Fe5fg/sqomVfhocEFwFQ+N/R5MG4pCtxn0aRhxrmYjiopNL6MN',
  '2X+m44wjEVPgWRjFdYrid/i2lH8MasDedElk4ulcU7IE1rH12GOcQJOsUqYZn64BxzmRbD6p29OG8albCOe0oc4QA9wyE6zjsUlG',
  'PRSwp3/DxhnBIL+0vZLZASpxRfPCMvOkH2LuuHlXEz1ndMp5qGFXS6BurBR7byUa0CVsBGG9HCv7Fq575yYZ7CpHOXCeo9H50a+F',
  'KwDjjii+DSaWBqW9LR/dhKjabFaPsTy8TQf19ips3tu8PWcjlWbUGiOyX5T3GSM1nTbRSnzh03zuku6nI4vHMJP4cBO7S8KhcQCW',
  'wZH4TNMUXOR4o7cCr7sWAIZ8a6foZYCiAAG4AoCfSQAfq6F1scRn+wIAAAAABFla',
].join('');

test('what the decoder gives piece by piece stays what it was', async () => {
  const unpacked = Buffer.from(await decompressXz(Buffer.from(letters, 'base64'), 'letters.xz'));
  const wanted = Buffer.from([...'abcdefghijkl'].map((letter) => letter.repeat(100_000)).join(''));
  expect(unpacked.length).toBe(1_200_000);
  expect(unpacked.equals(wanted)).toBe(true);
});

// In the middle, with the end already decoded and waiting, and at the end.
test.each([0, 100_000, 1_179_647, 1_199_999])(
  'the next file is read after one was refused beyond %i bytes',
  async (most) => {
    const bytes = Buffer.from(letters, 'base64');
    await expect(decompressXz(bytes, 'letters.xz', most)).rejects.toMatchObject({ code: 'refused' });
    expect(await decompressXz(bytes, 'letters.xz')).toHaveLength(1_200_000);
    expect(await decompressXz(packed, 'a.xz')).not.toHaveLength(0);
  },
);
