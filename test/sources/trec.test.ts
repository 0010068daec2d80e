import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { bindSource } from '../../tasks/sources/index.js';
import { collect } from './collect.js';
import { folderOf } from './folder.js';

const fixture = bindSource('trec:test/fixtures/sources/trec');

describe('trec:<folder>', () => {
  it('reads documents whatever their fields are called', async () => {
    expect(await collect(fixture.docs())).toEqual([
      { id: 'FT911-1', title: 'Scales', text: 'How scales are made.', at: 'docs.jsonl:1' },
      { id: 'FT911-2', title: '', text: 'Weights of brass and iron.', at: 'docs.jsonl:2' },
      { id: '3', title: '', text: 'The third.', at: 'docs.jsonl:3' },
    ]);
  });

  it('reads topics, of which all after the first tab is text', async () => {
    expect(await collect(fixture.queries())).toEqual([
      { id: '301', text: 'scales', at: 'topics.tsv:1' },
      { id: '302', text: 'brass weights\twith a tab', at: 'topics.tsv:2' },
    ]);
  });

  it('reads judgements between any blanks', async () => {
    expect(await collect(fixture.qrels())).toEqual([
      { query: '301', doc: 'FT911-1', grade: '1', at: 'qrels.txt:1' },
      { query: '301', doc: 'FT911-2', grade: '0', at: 'qrels.txt:2' },
      { query: '302', doc: 'FT911-2', grade: '2', at: 'qrels.txt:3' },
    ]);
  });

  it('takes the other names too, gzipped or not, and leaves a line of column names out', async () => {
    const folder = folderOf({
      'corpus.jsonl.gz': gzipSync('{"_id":"d","text":null}'),
      'queries.tsv': 'qid\tquery\n1\tone\n',
      qrels: '1 0 d 1\n',
    });
    const source = bindSource(`trec:${folder}`);
    expect(await collect(source.docs())).toHaveLength(1);
    expect(await collect(source.queries())).toEqual([{ id: '1', text: 'one', at: 'queries.tsv:2' }]);
    expect(await collect(source.qrels())).toHaveLength(1);
  });

  it('names file and line of what it cannot read', async () => {
    const folder = folderOf({
      'docs.jsonl': '{"id":"d","text":"a"}\n{"id":"e"}\n',
      'topics.tsv': '1\tone\ntwo\n',
      'qrels.txt': '1 0 d 1\n1 d 1\n',
    });
    const source = bindSource(`trec:${folder}`);
    await expect(collect(source.docs())).rejects.toThrow(/docs\.jsonl:2 is not a document: `text` wants/);
    await expect(collect(source.queries())).rejects.toThrow(/topics\.tsv:2 is not a topic: it has no tab/);
    await expect(collect(source.qrels())).rejects.toThrow(/qrels\.txt:2 is not a judgement: it has 3 fields/);
  });

  it('says which files it wants', () => {
    expect(() => bindSource(`trec:${folderOf({})}`)).toThrow(
      /it has no docs\.jsonl, documents\.jsonl, corpus\.jsonl: /,
    );
  });
});
