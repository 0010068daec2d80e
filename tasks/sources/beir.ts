import { z } from 'zod';
import { printable, TenbinError } from '../../core/errors.js';
import type { SourceDoc, SourceQrel, SourceQuery } from '../types.js';
import {
  type CollectionFolder,
  collectionFolder,
  factsOfFolder,
  findFile,
  isFolder,
  namesIn,
} from './collection-folder.js';
import { idField, optionalTextField, scalarField, textField } from './fields.js';
import { collectionDigest } from './line-digest.js';
import type { TextFile } from './lines.js';
import type { SourcePlugin } from './plugin.js';
import { type RecordFormat, readJson, records } from './records.js';
import { readQrelsTsv } from './tsv.js';

const layout = 'corpus.jsonl, queries.jsonl and qrels/<split>.tsv';

export const beir: SourcePlugin = {
  name: 'beir',
  summary: `A folder in BEIR layout: ${layout}, gzipped or not. \`#dev\` at the end chooses the split (\`test\` if not said).`,
  scheme: 'path',
  form: 'beir:<folder>[#split]',
  members: () => [],
  needs: () => [],
  bind: (argument, options = {}) => {
    const { path, split } = splitOf(argument);
    const folder = collectionFolder('beir', path, layout);
    const files = {
      corpus: findFile(folder, ['corpus.jsonl']),
      queries: findFile(folder, ['queries.jsonl']),
      qrels: qrelsFile(folder, split),
    };
    return {
      id: `beir:${folder.name}${split === undefined ? '' : `#${split}`}`,
      facts: factsOfFolder(folder),
      revision: () => collectionDigest(files),
      docs: () => records(files.corpus, documents, options),
      queries: () => records(files.queries, queries, options),
      qrels: () => records(files.qrels, qrels, options),
    };
  },
};

const documents: RecordFormat<SourceDoc> = {
  noun: 'a document',
  example: '{"_id": "d1", "title": "…", "text": "…"}',
  read: readJson(z.object({ _id: idField, title: optionalTextField, text: textField }), ({ _id, title, text }, at) => ({
    id: _id,
    title,
    text,
    at,
  })),
};

const queries: RecordFormat<SourceQuery> = {
  noun: 'a query',
  example: '{"_id": "q1", "text": "…"}',
  read: readJson(
    z.object({ _id: idField, text: textField, metadata: z.unknown().optional() }),
    ({ _id, text, metadata }, at) => ({ id: _id, text, ...metaOf(metadata), at }),
  ),
};

const qrels: RecordFormat<SourceQrel> = {
  noun: 'a judgement',
  example: '`query-id<TAB>corpus-id<TAB>score`',
  read: readQrelsTsv,
};

/** The facts that results can be sliced by; lists and objects cannot. `__proto__` is a plain key here, unlike in a record of zod. */
function metaOf(metadata: unknown): Pick<SourceQuery, 'meta'> {
  const known = typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata) ? metadata : {};
  const facts = Object.entries(known).flatMap(([key, value]) => {
    const scalar = scalarField.safeParse(value);
    return scalar.success ? [[key, scalar.data] as const] : [];
  });
  return facts.length === 0 ? {} : { meta: Object.fromEntries(facts) };
}

interface Split {
  readonly path: string | undefined;
  readonly split: string | undefined;
}

/** `folder#dev` is the split `dev`, unless there is a folder of that whole name. */
function splitOf(argument: string | undefined): Split {
  const [, path, split] = /^(.*)#([^#/\\]+)$/s.exec(argument ?? '') ?? [];
  const isWhole = split === undefined || isFolder(argument ?? '');
  return isWhole ? { path: argument, split: undefined } : { path, split };
}

function qrelsFile(folder: CollectionFolder, asked: string | undefined): TextFile {
  const names = namesIn(folder, 'qrels').flatMap((file) => /^(.+)\.tsv(?:\.gz)?$/s.exec(file)?.[1] ?? []);
  const splits = [...new Set(names)];
  const split = asked ?? (splits.length === 1 ? splits[0] : 'test');
  if (splits.length > 0 && !splits.includes(split)) throw noSplit(split, splits);
  return findFile(folder, [`qrels/${split}.tsv`]);
}

function noSplit(split: string, splits: readonly string[]): TenbinError {
  return new TenbinError('usage', {
    what: 'The collection has no judgements of this split',
    value: split,
    fix: `Write one of ${splits.map((name) => `\`beir:<folder>#${printable(name)}\``).join(', ')}.`,
  });
}
