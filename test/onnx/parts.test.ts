import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openOnnx } from '../../runners/backends/onnx/index.js';
import type { DenseCard, LateInteractionCard, ModelFiles, SparseCard } from '../../runners/models/card.js';
import type { Role } from '../../runners/open-model.js';
import {
  bge,
  builtIn,
  colbertTiny,
  cpu,
  denseTiny,
  hasShared,
  minilm,
  readJson,
  shared,
  sharedModels,
  spladeTiny,
} from './cards.js';
import { asEncoder, difference, goldenOf, needsShared, ofKind, rowsOf, textOf, weightsOf } from './references.js';

/** Each part of a card changes numbers: what agrees with a reference with it disagrees without it. */
async function encoded(files: ModelFiles, texts: readonly string[], role: Role = 'document') {
  const model = asEncoder(await openOnnx(files, cpu));
  try {
    return await model.encode(texts, role);
  } finally {
    await model.close();
  }
}

describe('dense', () => {
  const texts = ['q-plain', 'd-photo', 'emoji'];
  const references = texts.map((id) => goldenOf('dense-tiny', 'vectors_w8.json').texts[id]);
  const apart = async (change: Partial<DenseCard>, role: Role = 'document') => {
    const rows = rowsOf(await encoded(builtIn({ ...denseTiny, ...change }), texts.map(textOf), role));
    return Math.max(...rows.map((row, i) => difference(row, references[i].vector)));
  };

  test('as the card says: the reference', async () => {
    expect(await apart({})).toBeLessThan(1e-4);
  });

  test.each([
    ['pooling by [CLS]', { pooling: 'cls' }],
    ['pooling by the last token', { pooling: 'last-token' }],
    ['a prompt', { prompts: { query: '', document: 'passage: ' } }],
    ['truncation', { maxLength: 6 }],
    ['no normalization', { normalize: false }],
  ] as const)('%s makes a difference', async (_, change) => {
    expect(await apart(change)).toBeGreaterThan(0.01);
  });

  test('a prompt of queries leaves documents alone, and the other way round', async () => {
    const prompts = { query: 'query: ', document: '' };
    expect(await apart({ prompts }, 'document')).toBeLessThan(1e-4);
    expect(await apart({ prompts }, 'query')).toBeGreaterThan(0.01);
  });

  test('without normalization the vectors have the length of the reference', async () => {
    const rows = rowsOf(await encoded(builtIn({ ...denseTiny, normalize: false }), texts.map(textOf)));
    rows.forEach((row, i) => {
      expect(Math.abs(Math.hypot(...row) / references[i].norm - 1)).toBeLessThan(1e-5);
    });
  });

  test('first components, normalized again, are the Matryoshka references', { skip: !hasShared }, async () => {
    const { truncated } = readJson(sharedModels, 'dense-tiny/reference/vectors.json');
    for (const dims of [64, 32]) {
      const ids = Object.keys(truncated[dims]);
      const rows = rowsOf(await encoded(shared(denseTiny), ids.map(textOf)));
      rows.forEach((row, i) => {
        const cut = row.slice(0, dims);
        const length = Math.hypot(...cut);
        const reference = truncated[dims][ids[i]];
        expect(
          difference(
            cut.map((value) => value / length),
            reference.vector ?? reference,
          ),
        ).toBeLessThan(1e-4);
      });
    }
  });

  test.skipIf(!hasShared)(`poolings of all-MiniLM-L6-v2, against the original library's${needsShared}`, async () => {
    const { poolings } = readJson(sharedModels, minilm.id, 'reference/vectors.json');
    const ids = Object.keys(poolings.texts);
    for (const [pooling, name] of [
      ['mean', 'mean'],
      ['cls', 'cls'],
      ['last-token', 'last'],
    ] as const) {
      const rows = rowsOf(await encoded(shared({ ...minilm, pooling, normalize: false }), ids.map(textOf)));
      rows.forEach((row, i) => {
        expect(difference(row, poolings.texts[ids[i]][name])).toBeLessThan(1e-4);
      });
    }
  });

  test.skipIf(!hasShared)(`bge without its query prompt is another model${needsShared}`, async () => {
    const { queries } = readJson(sharedModels, bge.id, 'reference/vectors.json');
    const without = { ...bge, prompts: { query: '', document: '' } };
    const [row] = rowsOf(await encoded(shared(without, 'int8'), [textOf('q-plain')], 'query'));
    expect(difference(row, queries.texts['q-plain'].vector)).toBeGreaterThan(0.02);
  });
});

describe('sparse', () => {
  const weights = async (change: Partial<SparseCard>) =>
    weightsOf(await encoded(builtIn({ ...spladeTiny, ...change }), [textOf('d-photo')]))[0];

  test('the positions of special tokens, prompts, truncation and the second logarithm make a difference', async () => {
    const kept = await weights({});
    const twice = await weights({ logarithms: 2 });
    for (const [term, weight] of kept) expect(twice.get(term)).toBeCloseTo(Math.log1p(weight), 6);
    const differs = (other: ReadonlyMap<number, number>) =>
      [...kept].some(([term, weight]) => Math.abs((other.get(term) ?? 0) - weight) > 0.01);
    expect(differs(await weights({ specialTokens: 'masked' }))).toBe(true);
    expect(differs(await weights({ prompts: { query: '', document: 'about ' } }))).toBe(true);
    expect(differs(await weights({ maxLength: 6 }))).toBe(true);
  });
});

describe('late interaction', () => {
  const late = async (change: Partial<LateInteractionCard>, role: Role) =>
    ofKind(await encoded(builtIn({ ...colbertTiny, ...change }), [textOf('q-plain')], role), 'late-interaction');
  const ids = async (change: Partial<LateInteractionCard>, role: Role, text = textOf('q-plain')) => {
    const model = asEncoder(await openOnnx(builtIn({ ...colbertTiny, ...change }), cpu));
    await model.close();
    return model.tokenIds(text, role) ?? [];
  };

  test('the marker is an id after [CLS], whatever the text says', async () => {
    expect((await ids({}, 'query')).slice(0, 3)).toEqual([101, 1, 2129]);
    expect((await ids({}, 'document')).slice(0, 3)).toEqual([101, 2, 2129]);
    expect((await ids({ queryMarker: null }, 'query')).slice(0, 2)).toEqual([101, 2129]);
    const marked = await late({}, 'document');
    const bare = await late({ documentMarker: null }, 'document');
    expect(bare.offsets[1]).toBe(marked.offsets[1] - 1);
    expect(difference(bare.vectors.subarray(0, 64), marked.vectors.subarray(0, 64))).toBeGreaterThan(0.01);
  });

  test('queries are cut, then filled with masks that are scored; attended to or not makes a difference', async () => {
    const attended = await late({}, 'query');
    const unattended = await late({ expansion: 'unattended' }, 'query');
    const bare = await late({ expansion: null }, 'query');
    expect([attended, unattended, bare].map(({ offsets }) => offsets[1])).toEqual([32, 32, 10]);
    expect(difference(attended.vectors, unattended.vectors)).toBeGreaterThan(0.01);
    // Unattended masks change nothing for the others: those are the vectors of the bare query.
    expect(difference(unattended.vectors.subarray(0, 640), bare.vectors)).toBeLessThan(1e-6);
    const long = await ids({}, 'query', 'word '.repeat(100));
    expect([long.length, long.at(-1), long.at(1)]).toEqual([32, 102, 1]);
  });

  test('skipped tokens are attended to and have no vector; queries skip none', async () => {
    const text = 'one, two. three!';
    const model = asEncoder(await openOnnx(builtIn(colbertTiny), cpu));
    const document = ofKind(await model.encode([text], 'document'), 'late-interaction');
    const query = ofKind(await model.encode([text], 'query'), 'late-interaction');
    await model.close();
    expect([document.offsets[1], query.offsets[1]]).toEqual([6, 32]);
    const all = asEncoder(await openOnnx(builtIn({ ...colbertTiny, skiplist: [] }), cpu));
    const whole = ofKind(await all.encode([text], 'document'), 'late-interaction');
    await all.close();
    expect(whole.offsets[1]).toBe(9);
    expect(difference(document.vectors.subarray(0, 64), whole.vectors.subarray(0, 64))).toBe(0);
  });

  test('a marker or skipped token that the vocabulary lacks is named', async () => {
    const open = (change: Partial<LateInteractionCard>) => openOnnx(builtIn({ ...colbertTiny, ...change }), cpu);
    await expect(open({ queryMarker: '[Q]' })).rejects.toThrow(/the marker of queries: \[Q\]/);
    await expect(open({ skiplist: ['zzzqqq'] })).rejects.toThrow(/as skipped: zzzqqq/);
  });

  test.skipIf(!hasShared)(`a layer that is already inside the graph is not applied again${needsShared}`, async () => {
    const folder = join(sharedModels, 'colbert-tiny');
    expect(readJson(folder, '1_Dense/config.json').in_features).toBe(128);
    const [text] = [textOf('d-photo')];
    const withLayer = ofKind(await encoded(shared(colbertTiny, 'w8'), [text]), 'late-interaction');
    const without = ofKind(await encoded(builtIn(colbertTiny), [text]), 'late-interaction');
    expect(withLayer.vectors).toEqual(without.vectors);
  });
});
