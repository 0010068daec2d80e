import { describe, expect, test } from 'vitest';
import type { Dtype, ModelCard } from '../../../runners/models/card.js';
import { embeddedCards, hubCards } from '../../../runners/models/cards/index.js';
import { parseModelReference } from '../../../runners/models/reference.js';
import { naiveCount } from './naive-count.js';

const all = [...embeddedCards, ...hubCards];
const byId = (cards: readonly ModelCard[]) => cards.map((card) => [card.id, card] as const);

/** Models with more learned positions than texts are cut to. */
const positionRows = new Map([['mxbai-embed-xsmall-v1', 4096]]);

describe('the set of cards', () => {
  test('there are at least 45 hub cards, and cards of every family', () => {
    expect(hubCards.length).toBeGreaterThanOrEqual(45);
    expect([...new Set(hubCards.map(({ family }) => family))].sort()).toEqual([
      'dense',
      'late-interaction',
      'reranker',
      'sparse',
    ]);
    expect(new Set(hubCards.flatMap((card) => (card.family === 'reranker' ? [card.method] : [])))).toEqual(
      new Set(['cross-encoder', 'yes-no']),
    );
  });

  test('ids are unique, and so are origins', () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(new Set(all.map(({ origin }) => JSON.stringify(origin))).size).toBe(all.length);
  });

  test('hub cards are not verified, embedded ones are', () => {
    expect(hubCards.filter(({ verified }) => verified)).toEqual([]);
    expect(embeddedCards.filter(({ verified }) => !verified)).toEqual([]);
  });

  test('every one has an architecture', () => {
    expect(all.filter(({ architecture }) => architecture === undefined).map(({ id }) => id)).toEqual([]);
  });
});

describe.each(byId(all))('%s', (id, card) => {
  test('has an id that reads back as the name of a card', () => {
    expect(id).toMatch(/^[a-z0-9][a-z0-9._-]{1,79}$/);
    expect(parseModelReference(id, (name) => name === id)).toEqual({ kind: 'card', text: id, name: id, dtype: null });
  });

  test('names graphs below its folder, each as its number format is named', () => {
    for (const [dtype, file] of Object.entries(card.files)) {
      expect(file).toMatch(/^(?!\/)(?!.*(^|\/)\.\.)[\w./-]+\.onnx$/);
      expect(dtypeSaid(file)).toBe(dtype);
    }
    const saysNone = card.summary.includes('no ONNX graph in its repository');
    expect(Object.keys(card.files).length === 0).toBe(saysNone);
  });

  test('has facts of a sensible size', () => {
    expect(card.licence).not.toBe('');
    expect(card.summary.length).toBeGreaterThan(10);
    expect(card.languages.length).toBeGreaterThan(0);
    expect(card.maxLength).toBeGreaterThanOrEqual(128);
    expect(card.languages.every((language) => /^([a-z]{2}|multilingual)$/.test(language))).toBe(true);
    if (card.paper !== undefined) expect(card.paper).toMatch(/^(arXiv:\d{4}\.\d{4,5}|10\.\d{4,}\/\S+|https:\/\/\S+)$/);
  });

  test('counts weights that add up', () => {
    const { total = 0, active, embedding } = card.parameters ?? {};
    if (card.parameters === undefined) return;
    expect(total).toBeGreaterThan(1_000_000);
    for (const part of [active, embedding]) {
      if (part === undefined) continue;
      expect(part).toBeGreaterThan(0);
      expect(part).toBeLessThanOrEqual(total);
    }
    if (card.architecture !== undefined && embedding !== undefined) {
      expect(embedding).toBe(card.architecture.vocabulary * card.architecture.hidden);
    }
  });
});

/** `model_int8.onnx` and `model_quantized.onnx` are int8; a stem without a format is fp32. */
function dtypeSaid(file: string): Dtype {
  const stem = file.replace(/^.*\//, '').replace(/\.onnx$/, '');
  const said = /_(fp16|int8|quantized|uint8|q4f16|q4|w8)$/.exec(stem)?.[1] ?? 'fp32';
  return said === 'quantized' ? 'int8' : (said as Dtype);
}

describe.each(byId(hubCards))('%s on the hub', (_id, card) => {
  test('is pinned to a commit of a repository', () => {
    const { origin } = card;
    expect(origin.kind).toBe('hub');
    if (origin.kind !== 'hub') return;
    expect(origin.revision).toMatch(/^[0-9a-f]{40}$/);
    expect(origin.repo).toMatch(/^[\w.-]+\/[\w.-]+$/);
  });

  test('is named after its repository', () => {
    if (card.origin.kind !== 'hub') throw new Error('not on the hub');
    const name = card.origin.repo
      .split('/')[1]
      ?.toLowerCase()
      .replace(/-onnx$/, '');
    expect(card.id).toBe(name);
  });
});

const counted = hubCards.filter(
  ({ architecture, parameters }) => architecture !== undefined && parameters !== undefined,
);

test.each(byId(counted))('%s: layers and published number of weights are within 3 %%', (id, card) => {
  const total = card.parameters?.total ?? 0;
  const difference = Math.abs(naiveCount(card, positionRows.get(id)) / total - 1);
  // A reason with the number beats a bare "expected less".
  expect({ id, ok: difference < 0.03, difference }).toEqual({ id, ok: true, difference });
});

test('the layers of every counted card were held against a number', () => {
  expect(counted.length).toBe(hubCards.length);
});

describe('each family', () => {
  test('dense: Matryoshka lengths ascend to the whole vector', () => {
    for (const card of hubCards) {
      if (card.family !== 'dense' || card.matryoshkaDims.length === 0) continue;
      expect(card.matryoshkaDims).toEqual([...new Set(card.matryoshkaDims)].sort((a, b) => a - b));
      expect(card.matryoshkaDims.at(-1)).toBe(card.dims);
    }
  });

  test('dense: a vector is as long as the layers are wide', () => {
    for (const card of hubCards) {
      if (card.family === 'dense' && card.architecture !== undefined) expect(card.dims).toBe(card.architecture.hidden);
    }
  });

  test('late interaction: a text is no longer than the longer side', () => {
    for (const card of all) {
      if (card.family !== 'late-interaction') continue;
      expect(card.maxLength).toBe(Math.max(card.queryLength, card.documentLength));
      expect(card.skiplist.length).toBe(32);
      expect(new Set(card.skiplist).size).toBe(32);
    }
  });

  test('rerankers: language models have a template with both places, and two words; cross-encoders neither', () => {
    for (const card of all) {
      if (card.family !== 'reranker') continue;
      const places = ['{query}', '{document}'].map((place) => (card.template ?? '').split(place).length - 1);
      expect(places).toEqual(card.method === 'cross-encoder' ? [0, 0] : [1, 1]);
      expect(card.words === null).toBe(card.method !== 'yes-no');
      expect(card.words?.yes).not.toBe(card.words?.no ?? null);
    }
  });
});
