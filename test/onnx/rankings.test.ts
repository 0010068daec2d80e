import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openOnnx } from '../../runners/backends/onnx/index.js';
import type { ModelFiles } from '../../runners/models/card.js';
import type { EncodedTexts } from '../../runners/open-model.js';
import {
  ceTiny,
  colbertTiny,
  denseTiny,
  hasShared,
  minilm,
  readJson,
  shared,
  sharedModels,
  spladeTiny,
} from './cards.js';
import { maxSim } from './max-sim.js';
import { needsShared, ofKind, rowsOf, weightsOf } from './references.js';

const cranfield = join(sharedModels, '../datasets/cranfield');

interface Row {
  readonly _id: string;
  readonly title?: string;
  readonly text: string;
}

function firstRows(file: string, count: number): Row[] {
  const lines = readFileSync(join(cranfield, file), 'utf8').split('\n').slice(0, count);
  return lines.map((line) => JSON.parse(line));
}

/** Scores of every document for every query. */
async function scores(
  files: ModelFiles,
  documents: readonly string[],
  queries: readonly string[],
): Promise<number[][]> {
  const model = await openOnnx(files, { device: 'cpu', threads: 2 });
  try {
    if (model.kind === 'encoder') {
      return products(await model.encode(queries, 'query'), await model.encode(documents, 'document'));
    }
    const pairs = queries.flatMap((query) => documents.map((document) => ({ query, document })));
    const { margins } = await model.score(pairs);
    return queries.map((_, q) => [...margins.subarray(q * documents.length, (q + 1) * documents.length)]);
  } finally {
    await model.close();
  }
}

function products(queries: EncodedTexts, documents: EncodedTexts): number[][] {
  switch (queries.kind) {
    case 'late-interaction':
      return maxSim(queries, ofKind(documents, 'late-interaction'));
    case 'dense': {
      const rows = rowsOf(documents);
      return rowsOf(queries).map((a) => rows.map((b) => a.reduce((sum, value, i) => sum + value * b[i], 0)));
    }
    case 'sparse': {
      const rows = weightsOf(documents);
      const product = (a: ReadonlyMap<number, number>, b: ReadonlyMap<number, number>) =>
        [...a].reduce((sum, [term, weight]) => sum + weight * (b.get(term) ?? 0), 0);
      return weightsOf(queries).map((a) => rows.map((b) => product(a, b)));
    }
  }
}

describe.skipIf(!hasShared)(
  `the first 300 documents of cranfield, ranked as by the original library${needsShared}`,
  () => {
    const documents = hasShared ? firstRows('corpus.jsonl', 300) : [];
    const queries = hasShared ? firstRows('queries.jsonl', 20) : [];
    const texts = documents.map(({ title = '', text }) => (title === '' ? text : `${title}\n\n${text}`));

    const systems: readonly ModelFiles[] = [denseTiny, minilm, spladeTiny, colbertTiny, ceTiny].map((card) =>
      shared(card),
    );
    test.each(systems)('$card.id', { timeout: 600_000 }, async (files) => {
      const { top20 } = readJson(sharedModels, files.card.id, 'reference/ranking.json');
      // Pairs cost a run each, so a cross-encoder ranks for a part of the queries.
      const asked = files.card.family === 'reranker' ? queries.slice(0, 4) : queries;
      const all = await scores(
        files,
        texts,
        asked.map(({ text }) => text),
      );
      asked.forEach(({ _id }, q) => {
        const expected: { readonly docs: readonly string[]; readonly scores: readonly number[] } = top20[_id];
        const ours = new Map(documents.map((document, d) => [document._id, all[q][d]]));
        const order = [...ours].sort(([, a], [, b]) => b - a).map(([id]) => id);
        expected.docs.forEach((id, rank) => {
          expect(Math.abs((ours.get(id) ?? Number.NaN) - expected.scores[rank])).toBeLessThan(1e-4);
          // Where the places differ, the two documents are a near-tie.
          if (order[rank] !== id) {
            expect(Math.abs((ours.get(order[rank]) ?? Number.NaN) - expected.scores[rank])).toBeLessThan(2e-4);
          }
        });
      });
    });
  },
);
