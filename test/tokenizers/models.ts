import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tokenizerOf } from '../../runners/tokenizers/index.js';

const root = join(import.meta.dirname, '../..');
export const embedded = join(root, 'runners/models/embedded');
export const golden = join(root, 'test/golden/models');
export const sharedModels = join(root, '../shared/models');
export const unigramFixture = join(root, '../shared/fixtures/tokenizers/unigram-nmt-nfkc');
export const hasShared = existsSync(sharedModels);
/** For the names of tests that need it. */
export const needsShared = hasShared ? '' : ' (skipped without ../shared, which holds the models)';

export function readJson(...path: readonly string[]) {
  return JSON.parse(readFileSync(join(...path), 'utf8'));
}

export function tokenizerIn(folder: string) {
  return tokenizerOf(readJson(folder, 'tokenizer.json'), readJson(folder, 'tokenizer_config.json'));
}

export interface TokenReference {
  readonly ids: readonly number[];
  readonly typeIds: readonly number[];
  readonly untruncatedLength?: number;
}

interface ReferenceTexts {
  readonly texts: readonly { readonly id: string; readonly text: string }[];
  readonly pairs: readonly { readonly id: string; readonly query: string; readonly passage: string }[];
}

const references: ReferenceTexts = readJson(golden, 'reference-texts.json');
const textById = new Map(references.texts.map(({ id, text }) => [id, text]));

export function textOf(id: string): string {
  const text = textById.get(id);
  if (text === undefined) throw new Error(`no reference text ${id}`);
  return text;
}

export const pairs = new Map(
  references.pairs.map(({ id, query, passage }) => [id, { query: textOf(query), document: textOf(passage) }]),
);
export const textIds = references.texts.map(({ id }) => id);
