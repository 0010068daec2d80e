import { describe, expect, test } from 'vitest';
import { forwardFlops } from '../../runners/cost/forward.js';
import { passFlops } from '../../runners/cost/pass.js';
import type { CostHead } from '../../runners/cost/types.js';
import { type GoldenRow, goldenArchitecture, goldenRows, goldenShapes } from './golden-models.js';

const none: CostHead = { kind: 'none' };
const last: CostHead = { kind: 'language-model', positions: 'last' };
const every: CostHead = { kind: 'language-model', positions: 'all' };
const mlm: CostHead = { kind: 'masked-language-model' };
const oneLabel: CostHead = { kind: 'classifier', labels: 1, dense: false };
const heads: ReadonlyMap<string, CostHead> = new Map<string, CostHead>([
  ['pooler', { kind: 'pooler' }],
  ['classifier_1', oneLabel],
  ['mlm_all_tokens', mlm],
]);

function rowsOf<Mode extends GoldenRow['mode']>(mode: Mode) {
  return goldenRows.filter((row): row is Extract<GoldenRow, { readonly mode: Mode }> => row.mode === mode);
}

test('the fixture has 152 rows of four kinds', () => {
  const counts = (['encode', 'prefill', 'generate', 'encdec'] as const).map((mode) => rowsOf(mode).length);
  expect(counts).toEqual([42, 48, 32, 30]);
  expect(goldenRows.length).toBe(152);
});

test.each(rowsOf('encode'))('$model, $T tokens', ({ model, T: tokens, body, heads: expected }) => {
  const architecture = goldenArchitecture(model);
  expect(forwardFlops({ architecture, head: none, tokens })).toMatchObject({
    body,
    head: 0,
    total: body,
    causalUseful: body,
  });
  expect(passFlops({ architecture, head: none }, { tokens })).toBe(body);
  for (const [name, flops] of Object.entries(expected)) {
    const head = heads.get(name) ?? none;
    expect([name, forwardFlops({ architecture, head, tokens }).head]).toEqual([name, flops]);
    expect([name, passFlops({ architecture, head }, { tokens })]).toEqual([name, body + flops]);
  }
});

test.each(rowsOf('prefill'))('$model, prompt of $T tokens', (row) => {
  const architecture = goldenArchitecture(row.model);
  const { T: tokens, body } = row;
  const expected: readonly (readonly [CostHead, number])[] = [
    [last, row.lmHeadLast],
    [every, row.lmHeadAll],
    [{ kind: 'two-words' }, row.yesNoRowsOnly],
  ];
  for (const [head, flops] of expected) {
    const forward = forwardFlops({ architecture, head, tokens });
    expect(forward).toMatchObject({ body, head: flops, total: body + flops, causalUseful: row.causalUsefulBody });
    expect(passFlops({ architecture, head }, { tokens })).toBe(body + flops);
  }
});

test.each(rowsOf('generate'))('$model, $generated tokens after $prompt', (row) => {
  const request = {
    architecture: goldenArchitecture(row.model),
    head: last,
    tokens: row.prompt,
    generate: row.generated,
  };
  expect(forwardFlops(request)).toMatchObject({ body: row.bodyKvCache, head: row.lmHead });
  expect(forwardFlops({ ...request, cache: 'none' })).toMatchObject({ body: row.bodyNoCache, head: row.lmHead });
});

test.each(rowsOf('encdec'))('$model, $src tokens, prefix of $decPrefix, $generated generated', (row) => {
  const architecture = goldenArchitecture(row.model);
  const request = { architecture, tokens: row.decPrefix, sourceTokens: row.src, generate: row.generated };
  const sums = (head: CostHead) => {
    const { matmuls, body, head: top } = forwardFlops({ ...request, head });
    const sumOf = (prefix: string) =>
      matmuls.reduce((sum, { name, flops }) => (name.startsWith(prefix) ? sum + flops : sum), 0);
    expect(sumOf('enc.') + sumOf('dec.')).toBe(body);
    return { encoder: sumOf('enc.'), decoder: sumOf('dec.'), head: top };
  };
  const { encoder, decoder } = row;
  expect(sums(last)).toEqual({ encoder, decoder, head: row.lmHeadLast });
  expect(sums(every)).toEqual({ encoder, decoder, head: row.lmHeadAll });
  if (row.generated > 1) return;
  const pass = { tokens: row.src, decoderTokens: row.decPrefix };
  expect(passFlops({ architecture, head: last }, pass)).toBe(encoder + decoder + row.lmHeadLast);
});

describe('matrix multiplications by name and shape', () => {
  test.each([...goldenShapes])('%s', (model, expected) => {
    const architecture = goldenArchitecture(model);
    const plain = ({
      name,
      shape,
      count,
      flops,
    }: (typeof expected)[number] | { shape: unknown; name: string; count: number; flops: number }) => ({
      name,
      shape,
      count,
      flops,
    });
    if (architecture.kind === 'encoder-decoder') {
      const request = { architecture, head: every, tokens: 3, sourceTokens: 198, generate: 2 };
      expect(forwardFlops(request).matmuls.map(plain)).toEqual(expected);
      return;
    }
    const { matmuls } = forwardFlops({ architecture, head: none, tokens: 128 });
    const named = expected.some(({ name }) => name === 'pooler') ? [{ kind: 'pooler' } as const] : [];
    const tops = architecture.kind === 'decoder' ? [] : [...named, oneLabel, mlm];
    const top = tops.flatMap((head) =>
      forwardFlops({ architecture, head, tokens: 128 }).matmuls.filter(({ part }) => part === 'head'),
    );
    expect([...matmuls, ...top].map(plain)).toEqual(expected);
  });
});

/** metrics.md §D.2: profilers' published counts of the very same quantities. */
describe('against released profiler runs', () => {
  test('Flan-T5-large, 198 tokens, as DeepSpeed counts: ours and the elements of the softmax', () => {
    const architecture = goldenArchitecture('flan-t5-large');
    const { total } = forwardFlops({ architecture, head: every, tokens: 3, sourceTokens: 198, generate: 2 });
    expect(total + 24 * 16 * (198 * 198 + 4 * 198 + 13)).toBe(149_091_249_536);
  });
  test('BERT-base, 128 tokens, as calflops counts: 11.174 GMACs with the pooler', () => {
    const architecture = goldenArchitecture('bert-base');
    const { total } = forwardFlops({ architecture, head: { kind: 'pooler' }, tokens: 128 });
    expect((total / 2e9).toFixed(3)).toBe('11.174');
  });
});
