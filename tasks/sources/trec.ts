import { z } from 'zod';
import type { SourceDoc, SourceQrel, SourceQuery } from '../types.js';
import { collectionFolder, factsOfFolder, findFile } from './collection-folder.js';
import { idField, optionalTextField, textField } from './fields.js';
import { collectionDigest } from './line-digest.js';
import type { SourcePlugin } from './plugin.js';
import { type RecordFormat, readJson, records } from './records.js';
import { isHeader, splitAtTab } from './tsv.js';

const layout = 'docs.jsonl (or documents.jsonl, corpus.jsonl), topics.tsv (or queries.tsv) and qrels.txt (or qrels)';

export const trec: SourcePlugin = {
  name: 'trec',
  summary: `A folder with TREC judgements: ${layout}, gzipped or not.`,
  scheme: 'path',
  form: 'trec:<folder>',
  members: () => [],
  needs: () => [],
  bind: (argument, options = {}) => {
    const folder = collectionFolder('trec', argument, layout);
    const files = {
      corpus: findFile(folder, ['docs.jsonl', 'documents.jsonl', 'corpus.jsonl']),
      queries: findFile(folder, ['topics.tsv', 'queries.tsv']),
      qrels: findFile(folder, ['qrels.txt', 'qrels']),
    };
    return {
      id: `trec:${folder.name}`,
      facts: factsOfFolder(folder),
      revision: () => collectionDigest(files),
      docs: () => records(files.corpus, documents, options),
      queries: () => records(files.queries, topics, options),
      qrels: () => records(files.qrels, qrels, options),
    };
  },
};

const documents: RecordFormat<SourceDoc> = {
  noun: 'a document',
  example: '{"id": "d1", "title": "…", "text": "…"} (or `_id`, `docno`; or `contents`, `body`)',
  read: readJson(
    z.preprocess(canonicalKeys, z.object({ id: idField, title: optionalTextField, text: textField })),
    ({ id, title, text }, at) => ({ id, title, text, at }),
  ),
};

const idKeys = ['id', '_id', 'docno'];
const textKeys = ['text', 'contents', 'body'];

/** Tools do not agree on names: the first of each list that a line has is taken. */
function canonicalKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const fields = new Map(Object.entries(value));
  const first = (keys: readonly string[]) => keys.filter((key) => fields.has(key)).map((key) => fields.get(key))[0];
  return { id: first(idKeys), title: fields.get('title'), text: first(textKeys) };
}

const topics: RecordFormat<SourceQuery> = {
  noun: 'a topic',
  example: '`id<TAB>text`',
  read: (line, at, number) => {
    const fields = splitAtTab(line);
    if (fields === undefined) return { problem: 'it has no tab' };
    const [id, text] = fields;
    if (number === 1 && isHeader(id, text)) return undefined;
    return id.trim() === '' ? { problem: 'the id is empty' } : { id: id.trim(), text, at };
  },
};

const qrels: RecordFormat<SourceQrel> = {
  noun: 'a judgement',
  example: '`topic iteration document grade`',
  read: (line, at) => {
    const fields = line.trim().split(/[ \t]+/);
    const [query = '', , doc = '', grade = ''] = fields;
    return fields.length === 4
      ? { query, doc, grade, at }
      : { problem: `it has ${fields.length} fields between blanks and wants 4` };
  },
};
