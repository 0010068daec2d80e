import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TenbinError } from '../../core/errors.js';
import { bindSource } from '../../tasks/sources/index.js';
import { collect } from './collect.js';
import { beirFolder, folderOf } from './folder.js';

const fixture = 'beir:test/fixtures/sources/beir';

async function docsOf(corpus: string | Uint8Array) {
  return collect(bindSource(`beir:${beirFolder({ 'corpus.jsonl': corpus })}`).docs());
}

describe('reading', () => {
  it('gives documents with hostile ids as they are', async () => {
    const docs = await collect(bindSource(fixture).docs());
    expect(docs.map(({ id }) => id)).toEqual(['d1', 'd2', '3', '__proto__', '../x', 'tab\there']);
    expect(docs[2]).toEqual({ id: '3', title: '', text: '', at: 'corpus.jsonl:3' });
    expect(docs[3]?.text).toBe("<script>alert('scale')</script>");
  });

  it('gives the scalar facts of queries', async () => {
    const queries = await collect(bindSource(fixture).queries());
    expect(queries[0]?.meta).toEqual({ kind: 'short', words: 2, hard: false });
    expect(queries[1]).toEqual({ id: 'q2', text: '重さ', at: 'queries.jsonl:2' });
    expect(Object.entries(queries[2]?.meta ?? {})).toEqual([['__proto__', 'kept as a plain key']]);
  });

  it('gives judgements of the split `test`, or of the one asked for', async () => {
    const qrels = await collect(bindSource(fixture).qrels());
    expect(qrels[0]).toEqual({ query: 'q1', doc: 'd1', grade: '2', at: 'qrels/test.tsv:2' });
    expect(qrels.at(-1)).toEqual({ query: 'q2', doc: 'tab\there', grade: '1', at: 'qrels/test.tsv:7' });
    const dev = bindSource(`${fixture}#dev`);
    expect([dev.id, await collect(dev.qrels())]).toEqual([
      'beir:beir#dev',
      [{ query: 'q2', doc: 'd1', grade: '1', at: 'qrels/dev.tsv:2' }],
    ]);
  });

  it('takes the only split there is, and asks which where there are several', () => {
    const only = folderOf({ 'corpus.jsonl': '', 'queries.jsonl': '', 'qrels/dev.tsv': '' });
    expect(() => bindSource(`beir:${only}`)).not.toThrow();
    const several = folderOf({ 'corpus.jsonl': '', 'queries.jsonl': '', 'qrels/a.tsv': '', 'qrels/b.tsv.gz': '' });
    expect(() => bindSource(`beir:${several}`)).toThrow('Write one of `beir:<folder>#a`, `beir:<folder>#b`.');
  });

  it('reads a first line of data where there is no header', async () => {
    const folder = beirFolder({ 'qrels/test.tsv': 'q1\td2\t1' });
    expect(await collect(bindSource(`beir:${folder}`).qrels())).toHaveLength(1);
  });

  it('reads gzip, CR LF, a byte order mark, blank lines and a last line without an end', async () => {
    const plain = '{"_id":"a","text":"line\u2028separator"}\n{"_id":"b","text":"two"}\n';
    const dressed = `\ufeff${plain.replaceAll('\n', '\r\n\r\n').trimEnd()}`;
    const expected = await docsOf(plain);
    expect(expected.map(({ id, text }) => [id, text])).toEqual([
      ['a', 'line\u2028separator'],
      ['b', 'two'],
    ]);
    expect((await docsOf(dressed)).map(({ at }) => at)).toEqual(['corpus.jsonl:1', 'corpus.jsonl:3']);
    const gzipped = folderOf({ 'corpus.jsonl.gz': gzipSync(plain), 'queries.jsonl': '', 'qrels/test.tsv': '' });
    expect((await collect(bindSource(`beir:${gzipped}`).docs())).map(({ at }) => at)).toEqual([
      'corpus.jsonl.gz:1',
      'corpus.jsonl.gz:2',
    ]);
  });

  it('reads any id and text that JSON can hold, across the borders of reads', async () => {
    const id = fc.string({ unit: 'grapheme', minLength: 1 });
    const long = '長'.repeat(200_000);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(id, fc.string({ unit: 'binary' })), { maxLength: 5 }), async (pairs) => {
        const items = [...pairs, [long.slice(0, 10_000), long] as const];
        const corpus = items.map(([_id, text]) => JSON.stringify({ _id, text })).join('\n');
        expect((await docsOf(corpus)).map((doc) => [doc.id, doc.text])).toEqual(items);
      }),
      { numRuns: 20 },
    );
  });
});

describe('malformed lines', () => {
  const cases: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
    ['no JSON', '{"_id":"a"', /corpus\.jsonl:2 is not a document: it is not JSON/],
    ['a list', '["a"]', /corpus\.jsonl:2 is not a document: .*object/],
    ['no id', '{"text":"a"}', /corpus\.jsonl:2 .*`_id` wants to be a text or a whole number/],
    ['an empty id', '{"_id":"","text":"a"}', /`_id` is empty/],
    ['a large number', '{"_id":9007199254740993,"text":"a"}', /`_id` is no whole number below 2\^53: put it in quotes/],
    ['half a pair', '{"_id":"\\ud83d","text":"a"}', /surrogate/],
    ['no text', '{"_id":"a"}', /`text` wants to be a text or null/],
    ['a text of another kind', '{"_id":"a","text":["b"]}', /`text` wants to be a text or null/],
    ['Latin-1', Buffer.from('{"_id":"a","text":"caf\xe9"}', 'latin1'), /it is not UTF-8/],
  ];

  it.each(cases)('%s: names file and line, and what to do', async (_, line, message) => {
    const corpus = Buffer.concat([Buffer.from('{"_id":"x","text":"x"}\n'), Buffer.from(line)]);
    await expect(docsOf(corpus)).rejects.toMatchObject({ code: 'malformed', message: expect.stringMatching(message) });
    await expect(docsOf(corpus)).rejects.toThrow(/mend this one, or leave such lines out with --lenient/);
  });

  it('of qrels are named too', async () => {
    const folder = beirFolder({ 'qrels/test.tsv': 'query-id\tcorpus-id\tscore\nq1 d1 1\n' });
    await expect(collect(bindSource(`beir:${folder}`).qrels())).rejects.toThrow(
      'qrels/test.tsv:2 is not a judgement: it has 1 fields between tabs and wants 3',
    );
  });

  it('are reported and left out when someone listens', async () => {
    const folder = beirFolder({ 'corpus.jsonl': '{"_id":"a","text":"a"}\nbroken\n{"_id":"b","text":null}\n{}\n' });
    const reported: TenbinError[] = [];
    const source = bindSource(`beir:${folder}`, { onMalformed: (error) => reported.push(error) });
    expect((await collect(source.docs())).map(({ id }) => id)).toEqual(['a', 'b']);
    expect(reported.map(({ message }) => /corpus\.jsonl:\d/.exec(message)?.[0])).toEqual([
      'corpus.jsonl:2',
      'corpus.jsonl:4',
    ]);
  });
});

describe('what is not there', () => {
  it.each(['corpus.jsonl', 'queries.jsonl', 'qrels/test.tsv'])('%s', (missing) => {
    const all = { 'corpus.jsonl': '', 'queries.jsonl': '', 'qrels/test.tsv': '' };
    const folder = folderOf(Object.fromEntries(Object.entries(all).filter(([path]) => path !== missing)));
    const message = expect.stringMatching(/it has no .*holds corpus\.jsonl, queries\.jsonl and qrels\/<split>\.tsv/);
    expect(() => bindSource(`beir:${folder}`)).toThrow(expect.objectContaining({ code: 'missing', message }));
  });

  it('a folder, or a file in its place', () => {
    expect(() => bindSource('beir:/no/such/folder')).toThrow(/there is no such folder: \/no\/such\/folder/);
    expect(() => bindSource('beir:package.json')).toThrow(/it is not a folder: package\.json/);
  });

  it('a file, with a folder in its place', () => {
    const folder = folderOf({ 'queries.jsonl': '', 'qrels/test.tsv': '' });
    mkdirSync(join(folder, 'corpus.jsonl'));
    expect(() => bindSource(`beir:${folder}`)).toThrow(/Something else stands where a file is wanted: .*corpus\.jsonl/);
  });

  it('the end of a gzip file', async () => {
    const gzip = gzipSync('{"_id":"a","text":"a"}\n'.repeat(1000));
    const folder = folderOf({ 'corpus.jsonl.gz': gzip.subarray(0, -20), 'queries.jsonl': '', 'qrels/test.tsv': '' });
    await expect(collect(bindSource(`beir:${folder}`).docs())).rejects.toMatchObject({
      code: 'damaged',
      message: expect.stringMatching(/gzip file is damaged or cut short: .*corpus\.jsonl\.gz/),
    });
  });
});

describe('revision', () => {
  const revisionOf = (files: Readonly<Record<string, string | Uint8Array>>): Promise<string> =>
    bindSource(`beir:${beirFolder(files)}`).revision();

  it('does not depend on the order of lines, line ends or compression', async () => {
    const line = fc.record({ _id: fc.string({ minLength: 1 }), text: fc.string() }).map((doc) => JSON.stringify(doc));
    const shuffled = fc.array(line, { maxLength: 30 }).chain((lines) => {
      return fc.tuple(fc.constant(lines), fc.shuffledSubarray(lines, { minLength: lines.length }));
    });
    await fc.assert(
      fc.asyncProperty(shuffled, async ([lines, other]) => {
        const revision = await revisionOf({ 'corpus.jsonl': lines.join('\n') });
        expect(await revisionOf({ 'corpus.jsonl': `\ufeff${other.join('\r\n\r\n')}\r\n` })).toBe(revision);
      }),
      { numRuns: 15 },
    );
  });

  it('changes with a line, with a line that comes twice, and with the file that it is in', async () => {
    const a = '{"_id":"a","text":"a"}';
    const b = '{"_id":"b","text":"b"}';
    const revisions = await Promise.all([
      revisionOf({ 'corpus.jsonl': a, 'queries.jsonl': b }),
      revisionOf({ 'corpus.jsonl': b, 'queries.jsonl': a }),
      revisionOf({ 'corpus.jsonl': `${a}\n${a}`, 'queries.jsonl': b }),
      revisionOf({ 'corpus.jsonl': `${a}\n${b}`, 'queries.jsonl': b }),
      revisionOf({ 'corpus.jsonl': a, 'queries.jsonl': `${b} ` }),
    ]);
    expect(new Set(revisions).size).toBe(5);
  });
});
