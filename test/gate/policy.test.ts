import { describe, expect, test } from 'vitest';
import { TenbinError } from '../../core/errors.js';
import { parsePolicy } from '../../results/gate/policy.js';

const example = `# yaml-language-server: $schema=…/gate.schema.json
qrels: data/qrels.txt            # only for run files
baseline: results/baselines/embedded.json
candidate: out
system: bm25
confidence: 0.95
correction: holm
checks:
  - {measure: nDCG@10, drop: 0.01}
  - {measure: R@100, drop: 2%, fail: on-point}
  - {measure: nDCG@10, slice: "language:ja", drop: 0.02}
  - {cost: bytesPerDoc, rise: 10%}
onMissing: fail
onInconclusive: pass
`;

const measured = { kind: 'measure', direction: 'drop', fail: 'interval', slice: 'all', minQueries: 1 } as const;

test('the example of formats.md is a policy, with every default filled in', () => {
  expect(parsePolicy(example, 'gate.yaml')).toEqual({
    ...{ qrels: 'data/qrels.txt', baseline: 'results/baselines/embedded.json', candidate: 'out', system: 'bm25' },
    ...{ tasks: [], slices: null, confidence: 0.95, correction: 'holm', seed: 17, resamples: 10_000, worst: 5 },
    checks: [
      { ...measured, measure: 'nDCG@10', budget: { kind: 'absolute', value: 0.01 } },
      { ...measured, measure: 'R@100', fail: 'on-point', budget: { kind: 'relative', percent: 2 } },
      { ...measured, measure: 'nDCG@10', slice: 'language:ja', budget: { kind: 'absolute', value: 0.02 } },
      { kind: 'cost', cost: 'bytesPerDoc', direction: 'rise', budget: { kind: 'relative', percent: 10 } },
    ],
    ...{ onMissing: 'fail', onInconclusive: 'pass' },
  });
});

test('one check is enough: the sides may come from the command line', () => {
  const { baseline, candidate, system, qrels, checks } = parsePolicy('checks: [{measure: ndcg_cut_10, drop: 0}]', 'p');
  expect([baseline, candidate, system, qrels]).toEqual([null, null, null, null]);
  expect(checks).toEqual([{ ...measured, measure: 'nDCG@10', budget: { kind: 'absolute', value: 0 } }]);
});

test('a check says its own least number of queries, or takes that of the policy', () => {
  const policy = 'minQueries: 30\nchecks: [{measure: RR, drop: 0}, {measure: AP, drop: 0, minQueries: 5}]';
  const { checks } = parsePolicy(policy, 'p');
  expect(checks.map((check) => check.kind === 'measure' && check.minQueries)).toEqual([30, 5]);
});

test('both sides may have a system of their own, and aliases of YAML are read', () => {
  const text = 'system: {baseline: a, candidate: b}\nchecks: [{measure: RR, drop: &b 1.5%}, {measure: AP, drop: *b}]';
  const { system, checks } = parsePolicy(text, 'p');
  expect(system).toEqual({ baseline: 'a', candidate: 'b' });
  expect(checks.map(({ budget }) => budget)).toEqual(Array(2).fill({ kind: 'relative', percent: 1.5 }));
});

const good = 'checks: [{measure: nDCG@10, drop: 0.01}]';

function thrown(text: string): TenbinError {
  try {
    parsePolicy(text, 'gate.yaml');
  } catch (error) {
    if (error instanceof TenbinError) return error;
    throw error;
  }
  throw new Error(`This policy was taken: ${text.slice(0, 100)}`);
}

describe('a wrong policy is wrong use, and its error names the key, the value and the line', () => {
  test.each([
    [`confidence: 95\n${good}`, 'confidence wants', '`95` in gate.yaml:1', 'Write 0.95.'],
    [`confidence: 97.5%\n${good}`, 'confidence wants', '`97.5%` in gate.yaml:1', 'Write 0.975.'],
    [`${good}\nconfidence: 1`, 'confidence wants', '`1` in gate.yaml:2', 'Write 0.95.'],
    [`${good}\nconfidence: 0`, 'confidence wants', '`0` in gate.yaml:2', 'Write 0.95.'],
    ['checks:\n  - {measure: nDCG@10, drop: much}', 'checks[0].drop wants', '`much` in gate.yaml:2', '2%'],
    ['checks:\n  - measure: RR\n    drop: -0.1', 'checks[0].drop wants', '`-0.1` in gate.yaml:3', 'Write 0.01'],
    ['checks: [{measure: RR, drop: "0.1"}]', 'checks[0].drop wants', '`0.1`', 'Write 0.01'],
    ['checks: [{measure: RR, drop: -2%}]', 'checks[0].drop wants', '`-2%`', 'or 2%'],
    ['checks: [{measure: RR, rise: .nan}]', 'checks[0].rise wants', '`NaN`', 'or 2%'],
    ['checks: [{measure: RR, rise: .inf}]', 'checks[0].rise wants', '`Infinity`', 'or 2%'],
    ['checks: [{cost: bytesPerDoc, rise: null}]', 'checks[0].rise wants', '`null`', 'or 2%'],
    ['checks: []', 'checks wants to be a list of 1 to 1000', '`[]` in gate.yaml:1', 'checks: [{'],
    ['seed: 3', 'checks wants to be a list', 'gate.yaml:1', 'checks: [{'],
    ['checks: {measure: RR, drop: 0}', 'checks wants to be a list', '`{"measure":"RR","drop":0}`', 'checks: [{'],
    [`${good}\nseed: 4294967296`, 'seed wants', '`4294967296` in gate.yaml:2', 'docs/gate.md'],
    [`${good}\nresamples: 99`, 'resamples wants', '`99`', 'docs/gate.md'],
    [`${good}\nworst: 2.5`, 'worst wants', '`2.5`', 'docs/gate.md'],
    [`${good}\nminQueries: 0`, 'minQueries wants', '`0`', 'docs/gate.md'],
    [`${good}\ntasks: embedded-code`, 'tasks wants', '`embedded-code`', 'docs/gate.md'],
    [`${good}\ntasks: []`, 'tasks wants', '`[]`', 'docs/gate.md'],
    [`${good}\ntasks: [a, 7]`, 'tasks[1] wants', '`7`', 'docs/gate.md'],
    [`${good}\nbaseline:`, 'baseline wants', '`null` in gate.yaml:2', 'docs/gate.md'],
    [`${good}\ncorrection: Hollm`, 'correction wants', '`Hollm`', 'Did you mean `holm`?'],
    [`${good}\nonMissing: wran`, 'onMissing wants', '`wran`', 'Did you mean `warn`?'],
    [`${good}\nonInconclusive: true`, 'onInconclusive wants', '`true`', 'pass, fail'],
    ['checks: [{measure: RR, drop: 0, fail: onpoint}]', 'checks[0].fail wants', '`onpoint`', '`on-point`'],
    ['checks: [7]', 'checks[0] wants to be a map', '`7`', '{measure: nDCG@10, drop: 0.01}'],
    ['checks: [[]]', 'checks[0] wants to be a map', '`[]`', '{measure: nDCG@10, drop: 0.01}'],
    ['checks: [{measure: 7, drop: 0}]', 'checks[0].measure wants', '`7`', 'docs/gate.md'],
    ['checks: [{drop: 0.1}]', 'checks[0] wants measure or cost', 'gate.yaml:1', '{cost: bytesPerDoc'],
    ['checks: [{measure: RR, cost: a, drop: 0}]', 'checks[0] has both measure and cost', 'gate.yaml:1', '{cost:'],
    ['checks: [{measure: RR}]', 'checks[0] wants drop or rise', 'gate.yaml:1', 'drop: 0.01'],
    ['checks: [{measure: RR, drop: 0, rise: 0}]', 'checks[0] has both drop and rise', 'gate.yaml:1', 'drop: 0.01'],
    ['checks: [{cost: a, rise: 0, slice: b}]', 'checks[0].slice goes with a measure', 'gate.yaml:1', 'Leave it out'],
    ['checks: [{measure: RR, drop: 2}]', 'checks[0].drop can never be exceeded', '`2`', 'Write 0.02 or 2%.'],
    ['', 'The policy wants to be a map', 'gate.yaml', 'docs/gate.md'],
    ['just text', 'The policy wants to be a map', 'gate.yaml', 'docs/gate.md'],
  ])('%j', (text, what, value, fix) => {
    const error = thrown(text);
    expect(error.code).toBe('usage');
    expect(error.parts.what).toContain(what);
    expect(error.parts.value).toContain(value);
    expect(error.parts.fix).toContain(fix);
  });

  test('a budget of 1 is the most that means anything for a share, and a gain has no such end', () => {
    expect(parsePolicy('checks: [{measure: RR, drop: 1}]', 'p').checks).toHaveLength(1);
    expect(parsePolicy('checks: [{measure: DCG@10, drop: 2}]', 'p').checks).toHaveLength(1);
  });
});

describe('a key that is not known is named, with the one that was meant', () => {
  test.each([
    [`${good}\nonmissing: fail`, 'onmissing is no key', 'gate.yaml:2', '`onMissing`'],
    [`confidance: 95\n${good}`, 'confidance is no key', 'gate.yaml:1', '`confidence`'],
    ['checks:\n  - {measure: RR, drop: 0}\n  - {mesure: AP, drop: 0}', 'checks[1].mesure', 'gate.yaml:3', '`measure`'],
    ['checks: [{cost: a, rize: 0}]', 'checks[0].rize is no key', 'gate.yaml:1', '`rise`'],
    [`${good}\nsystem: {baselin: a, candidate: b}`, 'system.baselin is no key', 'gate.yaml:2', '`baseline`'],
    [`__proto__: {confidence: 3}\n${good}`, '__proto__ is no key', 'gate.yaml:1', 'The keys here are qrels'],
    ['checks: [{measure: RR, drop: 0, __proto__: 1}]', 'checks[0].__proto__', 'gate.yaml:1', 'measure, cost'],
    [`${good}\n<<: {seed: 3}`, '<< is no key', 'gate.yaml:2', 'The keys here'],
  ])('%j', (text, what, value, fix) => {
    const error = thrown(text);
    expect(error.code).toBe('usage');
    expect(error.parts.what).toContain(what);
    expect(error.parts.value).toBe(value);
    expect(error.parts.fix).toContain(fix);
  });
});

test('a measure that nobody knows, or that is no mean, says where it stands', () => {
  const unknown = thrown('checks:\n  - {measure: nDGC@10, drop: 0}');
  expect(unknown.code).toBe('unknown-name');
  expect(unknown.message).toContain('checks[0].measure: Unknown measure: `nDGC@10` in gate.yaml:2.');
  expect(unknown.message).toContain('Did you mean `nDCG@10`?');
  const sum = thrown('checks: [{measure: NumRet, drop: 0}]');
  expect(sum.code).toBe('usage');
  expect(sum.message).toContain('checks[0].measure: This measure is a sum over queries');
});

describe('two checks that do the same', () => {
  test('are refused, whatever the spelling of the measure and the budgets', () => {
    const { message } = thrown(
      'checks: [{measure: nDCG@10, drop: 0.1},\n {measure: ndcg_cut_10, slice: all, drop: 0.2}]',
    );
    expect(message).toContain('checks[1] checks what checks[0] does: gate.yaml:2.');
    expect(thrown('checks: [{cost: a, rise: 1%}, {cost: a, rise: 2%}]').message).toContain('checks[1]');
  });

  test('are not the same with another slice, rule, direction or kind of budget', () => {
    const others = ['slice: a, drop: 0.1', 'drop: 0.1, fail: on-point', 'rise: 0.1', 'drop: 1%'];
    const checks = ['drop: 0.1', ...others].map((rest) => `{measure: RR, ${rest}}`).join(', ');
    expect(parsePolicy(`checks: [${checks}]`, 'p').checks).toHaveLength(5);
  });
});

describe('hostile YAML is refused with the line', () => {
  const bomb = [
    'a: &a [1, 1]',
    ...'bcdefghijkl'.split('').map((c, i) => {
      const before = 'abcdefghijkl'[i];
      return `${c}: &${c} [${Array(10).fill(`*${before}`).join(', ')}]`;
    }),
  ].join('\n');
  test.each([
    ['broken syntax', 'seed: 3\nchecks: [', 'gate.yaml:2'],
    ['a repeated key', `seed: 3\nseed: 4\n${good}`, 'gate.yaml:2'],
    ['a tag', `seed: 3\n${good}\nslices: !run x`, 'gate.yaml:3'],
    ['two documents', `${good}\n---\n${good}`, 'gate.yaml:2'],
    ['an alias of nothing', 'checks: *x', 'gate.yaml'],
    ['aliases without end', bomb, 'gate.yaml'],
    ['brackets alone', '['.repeat(10_000), 'gate.yaml'],
    ['a file of another kind', 'x'.repeat(1_000_001), 'gate.yaml'],
  ])('%s', (_, text, where) => {
    const error = thrown(text);
    expect(error.code).toBe('usage');
    expect(error.parts.what).toContain('no readable YAML');
    expect(error.parts.value).toContain(where);
  });
});
