import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { openOnnx } from '../../runners/backends/onnx/index.js';
import {
  builtIn,
  ceTiny,
  colbertTiny,
  cpu,
  denseTiny,
  hasShared,
  llamaTiny,
  shared,
  spladeTiny,
  t5Tiny,
} from './cards.js';
import {
  allTexts,
  asEncoder,
  asScorer,
  difference,
  needsShared,
  ofKind,
  pairIds,
  pairOf,
  rowsOf,
} from './references.js';

/** Results depend neither on what else is in the batch nor on the order nor on the number of threads: bit for bit. */
const texts = allTexts.filter(({ length }) => length < 2500);

describe('one text alone gives what it gives among others', async () => {
  const model = asEncoder(await openOnnx(builtIn(denseTiny), cpu));
  const two = asEncoder(await openOnnx(builtIn(denseTiny), { device: 'cpu', threads: 2 }));
  afterAll(async () => {
    await model.close();
    await two.close();
  });
  const together = rowsOf(await model.encode(texts, 'document'));

  test('dense-tiny, text by text', async () => {
    for (const [i, text] of texts.entries()) {
      expect([...rowsOf(await model.encode([text], 'document'))[0]]).toEqual([...together[i]]);
    }
  });

  test('dense-tiny, in any company and order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(
          texts.map((_, i) => i),
          { minLength: 1, maxLength: 40 },
        ),
        async (chosen) => {
          const rows = rowsOf(
            await model.encode(
              chosen.map((i) => texts[i]),
              'document',
            ),
          );
          rows.forEach((row, at) => {
            expect(difference(row, together[chosen[at]])).toBe(0);
          });
        },
      ),
      { numRuns: 15 },
    );
  });

  test('with one thread or two, which is why threads are no condition', async () => {
    expect(rowsOf(await two.encode(texts, 'document'))).toEqual(together);
    expect(Object.keys(model.conditions).filter((name) => /thread/.test(name))).toEqual([]);
  });

  test('no text is no work, and empty texts are texts', async () => {
    const none = ofKind(await model.encode([], 'document'), 'dense');
    expect([none.vectors.length, none.tokens?.counts.length]).toEqual([0, 0]);
    const [empty, again] = rowsOf(await model.encode(['', ''], 'query'));
    expect(empty).toEqual(again);
    expect(Math.abs(Math.hypot(...empty) - 1)).toBeLessThan(1e-6);
  });

  test('steps add up to the number of texts', async () => {
    const steps: number[] = [];
    await model.encode(texts, 'document', (done) => steps.push(done));
    expect(steps.reduce((sum, done) => sum + done, 0)).toBe(texts.length);
    expect(steps.length).toBeGreaterThan(1);
  });
});

describe('other families', () => {
  test('splade-tiny and colbert-tiny', async () => {
    const some = texts.filter((_, i) => i % 3 === 0);
    const sparse = asEncoder(await openOnnx(builtIn(spladeTiny), cpu));
    const all = ofKind(await sparse.encode(some, 'document'), 'sparse');
    for (const [i, text] of some.entries()) {
      const one = ofKind(await sparse.encode([text], 'document'), 'sparse');
      expect(one.terms).toEqual(all.terms.slice(all.offsets[i], all.offsets[i + 1]));
      expect(one.weights).toEqual(all.weights.slice(all.offsets[i], all.offsets[i + 1]));
    }
    await sparse.close();
    const late = asEncoder(await openOnnx(builtIn(colbertTiny), cpu));
    const rows = ofKind(await late.encode(some, 'document'), 'late-interaction');
    for (const [i, text] of some.entries()) {
      const one = ofKind(await late.encode([text], 'document'), 'late-interaction');
      expect(one.vectors).toEqual(rows.vectors.slice(rows.offsets[i] * 64, rows.offsets[i + 1] * 64));
    }
    await late.close();
  });

  const scorers = [
    builtIn(ceTiny),
    ...(hasShared
      ? [
          shared(llamaTiny),
          shared({ ...llamaTiny, method: 'query-likelihood', template: 'Text: {document}\nQuery: {query}' } as const),
          shared(t5Tiny),
        ]
      : []),
  ];
  test.each(scorers)(`pairs: $card.id by $card.method${needsShared}`, async (files) => {
    const model = asScorer(await openOnnx(files, cpu));
    const pairs = pairIds.map(pairOf);
    const { margins } = await model.score(pairs);
    for (const [i, pair] of pairs.entries()) expect((await model.score([pair])).margins[0]).toBe(margins[i]);
    await model.close();
  });
});

describe('hostile texts', () => {
  const hostile = [
    '',
    ' ',
    '\u0000',
    '[SEP] [CLS] [MASK]',
    '𓀀𓀁',
    'שלום עולם',
    '👩‍👩‍👧‍👦🏳️‍🌈',
    '\ud800',
    'a'.repeat(100_000),
    'word '.repeat(20_000),
    '-'.repeat(100_000),
  ];

  test.each([builtIn(denseTiny), builtIn(spladeTiny), builtIn(colbertTiny)])(
    '$card.id crashes on none',
    async (files) => {
      const model = asEncoder(await openOnnx(files, cpu));
      for (const role of ['query', 'document'] as const) {
        const encoded = await model.encode(hostile, role);
        const numbers = encoded.kind === 'sparse' ? encoded.weights : encoded.vectors;
        expect(numbers.every(Number.isFinite)).toBe(true);
        expect([...(encoded.tokens?.truncated ?? [])]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1]);
      }
      await model.close();
    },
  );

  test('ce-tiny neither', async () => {
    const model = asScorer(await openOnnx(builtIn(ceTiny), cpu));
    const pairs = hostile.map((document, i) => ({ query: hostile[(i + 9) % hostile.length], document }));
    const { margins, tokens } = await model.score(pairs);
    expect(margins.every(Number.isFinite)).toBe(true);
    expect(Math.max(...(tokens?.counts ?? []))).toBe(512);
    await model.close();
  });
});
