import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { pairLine, readLines, textLine } from '../../scripts/text-lines.js';
import { temporaryFolder } from '../small-nano.js';

function fileOf(content: string | Uint8Array): string {
  const path = join(temporaryFolder(), 'lines.jsonl');
  writeFileSync(path, content);
  return path;
}

const two = '\uFEFF{"id":"a","text":"x"}\r\n\n{"id":7,"text":"","more":[1]}\n';

describe('lines of an input', () => {
  test.each([
    ['plain', two],
    ['gzip', gzipSync(two)],
    ['without a newline at its end', two.trimEnd()],
  ])('are read (%s), blank ones passed over, ids as texts', async (_, content) => {
    expect(await readLines(fileOf(content), textLine)).toEqual([
      { id: 'a', text: 'x' },
      { id: '7', text: '' },
    ]);
  });

  test('of an empty file are none', async () => {
    expect(await readLines(fileOf(''), textLine)).toEqual([]);
  });

  test('hold ids that are names of properties', async () => {
    const path = fileOf('{"id":"__proto__","text":"x"}\n{"id":"constructor","text":"y"}\n');
    expect((await readLines(path, textLine)).map(({ id }) => id)).toEqual(['__proto__', 'constructor']);
  });

  test.each([
    ['{"id":"b"}', '`text` is missing'],
    ['{"id":"b","text":null}', '`text` is null, no text'],
    ['{"id":"b","text":["x"]}', '`text` is a list, no text'],
    ['{"id":"b","text":{}}', '`text` is an object, no text'],
    ['{"text":"x"}', '`id` is missing'],
    ['{"id":true,"text":"x"}', '`id` is true or false, no text'],
    ['{"id":"","text":"x"}', '`id` is empty'],
    ['{"id":"a","text":"y"}', 'The id `a` stands in line 1 already'],
    ['["b","x"]', 'It is a list, no object'],
    ['{"id":"b"', 'It is not JSON'],
  ])('%s is refused with its line and the form of a line', async (line, why) => {
    const path = fileOf(`{"id":"a","text":"x"}\n\n${line}\n`);
    await expect(readLines(path, textLine)).rejects.toMatchObject({
      code: 'malformed',
      message: `This line cannot be used: ${path}:3. ${why}; a line is {"id": …, "text": …}.`,
    });
  });

  test('a number and a text of the same digits are one id', async () => {
    const path = fileOf('{"id":1,"text":"x"}\n{"id":"1","text":"y"}\n');
    await expect(readLines(path, textLine)).rejects.toThrow('lines.jsonl:2. The id `1` stands in line 1');
  });

  test('pairs have a form of their own', async () => {
    const path = fileOf('{"id":"p","query":"x"}\n');
    await expect(readLines(path, pairLine)).rejects.toThrow(
      '`document` is missing; a line is {"id": …, "query": …, "document": …}.',
    );
  });

  test('text that is not UTF-8 is refused with its line', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"id":"a","text":"x"}\n{"id":"b","text":"'),
      Buffer.of(0xff),
      Buffer.from('"}\n'),
    ]);
    await expect(readLines(fileOf(bytes), textLine)).rejects.toMatchObject({
      code: 'malformed',
      message: expect.stringContaining('lines.jsonl:2'),
    });
  });

  test('gzip that was cut off is damaged', async () => {
    const path = fileOf(gzipSync(two).subarray(0, 30));
    await expect(readLines(path, textLine)).rejects.toMatchObject({ code: 'damaged' });
  });
});
