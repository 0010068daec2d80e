import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TenbinError } from '../../../core/errors.js';
import { countGraph } from '../../../runners/cost/graph/index.js';
import { int64s, type MiniGraph, type MiniNode, onnx, weights } from './mini-onnx.js';

const one = { batch: 1, tokens: 4 };
const ids = { name: 'input_ids', dims: ['batch', 'sequence', 8] };
const out = [{ name: 'out' }];
const matMul = (a: string, b: string, result: string, name = ''): MiniNode => ({
  op: 'MatMul',
  inputs: [a, b],
  outputs: [result],
  name,
});
const node = (
  op: string,
  inputs: readonly string[],
  outputs: readonly string[],
  more: Partial<MiniNode> = {},
): MiniNode => ({ op, inputs, outputs, ...more });
const counted = (graph: MiniGraph) => countGraph(onnx(graph), one);
const w = weights('w', 8, 5);
const product = 2 * 4 * 8 * 5;

describe('at least', () => {
  test('an unknown operator is named; what follows it is not counted, the rest is', () => {
    const graph: MiniGraph = {
      nodes: [
        matMul('input_ids', 'w', 'h'),
        node('Mystery', ['input_ids'], ['m'], { domain: 'org.example', name: 'the-mystery' }),
        node('Relu', ['m'], ['r']),
        matMul('r', 'w', 'out', 'after'),
      ],
      tensors: [w],
      inputs: [ids],
      outputs: out,
    };
    const count = counted(graph);
    expect(count).toMatchObject({ total: product, exact: false });
    expect(count.problems).toEqual([
      { node: 'the-mystery', op: 'org.example.Mystery', why: 'an operator that is not known' },
      { node: 'after', op: 'MatMul', why: 'not counted: the-mystery: org.example.Mystery is not known' },
    ]);
  });

  test('a shape that the file declares stands in where it gets lost', () => {
    const graph: MiniGraph = {
      nodes: [node('Mystery', ['input_ids'], ['out']), matMul('out', 'w', 'more')],
      tensors: [w],
      inputs: [ids],
      outputs: [{ name: 'out', dims: ['batch', 'sequence', 8] }, { name: 'more' }],
    };
    expect(counted(graph)).toMatchObject({ total: product, exact: false, problems: [{ op: 'Mystery' }] });
  });

  test('sizes that depend on the texts, and that do not fit', () => {
    const found = counted({
      nodes: [node('NonZero', ['input_ids'], ['n']), matMul('n', 'w', 'out', 'last')],
      tensors: [w],
      inputs: [ids],
      outputs: out,
    });
    expect(found.problems).toEqual([
      { node: 'last', op: 'MatMul', why: expect.stringContaining('n (NonZero): input 0 says what shape comes out') },
    ]);
    const misfit = counted({
      nodes: [matMul('input_ids', 'v', 'out')],
      tensors: [weights('v', 7, 5)],
      inputs: [ids],
      outputs: out,
    });
    expect(misfit.problems).toEqual([{ node: 'out', op: 'MatMul', why: 'not counted: [1, 4, 8] times [7, 5]' }]);
  });

  test('an Einsum of three is not counted, and its shape goes on', () => {
    const equation = { equation: { text: 'bij,jk,kl->bil' } };
    const count = counted({
      nodes: [node('Einsum', ['input_ids', 'w', 'v'], ['e'], { attributes: equation }), matMul('e', 'u', 'out')],
      tensors: [w, weights('v', 5, 3), weights('u', 3, 2)],
      inputs: [ids],
      outputs: out,
    });
    expect(count).toMatchObject({ total: 2 * 4 * 3 * 2, exact: false });
    expect(count.problems[0].why).toContain('3 operands');
  });

  test('nodes out of order, and in a circle', () => {
    const circle = counted({
      nodes: [matMul('b', 'w', 'a'), node('Relu', ['a'], ['b'])],
      tensors: [w],
      inputs: [ids],
      outputs: out,
    });
    expect(circle).toMatchObject({ total: 0, exact: false });
    expect(circle.problems[0]).toEqual({ node: 'a', op: 'MatMul', why: 'its input b is given by no node before it' });
  });
});

describe('branches and rounds', () => {
  const branches = (small: string, large: string) => ({
    then_branch: { graph: { nodes: [matMul('input_ids', small, 't')], outputs: [{ name: 't' }] } },
    else_branch: { graph: { nodes: [matMul('input_ids', large, 'e')], outputs: [{ name: 'e' }] } },
  });
  const tensors = [w, weights('wide', 8, 50)];

  test('a known condition is followed', () => {
    const known = (answer: number) =>
      counted({
        nodes: [
          node('Constant', [], ['c'], { attributes: { value_int: { int: answer } } }),
          node('If', ['c'], ['out'], { attributes: branches('w', 'wide') }),
        ],
        tensors,
        inputs: [ids],
        outputs: out,
      });
    expect(known(1)).toMatchObject({ total: product, exact: true });
    expect(known(0)).toMatchObject({ total: 10 * product, exact: true });
  });

  test('an unknown one counts the cheaper branch, unless both cost the same', () => {
    const unknown = (large: string) =>
      counted({
        nodes: [node('If', ['condition'], ['out'], { attributes: branches('w', large), name: 'choice' })],
        tensors,
        inputs: [ids, { name: 'condition', type: 'bool', dims: [] }],
        outputs: out,
      });
    expect(unknown('wide')).toMatchObject({ total: product, exact: false, problems: [{ node: 'choice', op: 'If' }] });
    expect(unknown('w')).toMatchObject({ total: product, exact: true });
  });

  const loop = (rounds: readonly number[] | null): MiniGraph => ({
    nodes: [
      node('Loop', [rounds === null ? 'many' : 'rounds', '', 'input_ids'], ['out', 'all'], {
        attributes: { body: { graph: body } },
      }),
    ],
    tensors: [weights('square', 8, 8), ...(rounds === null ? [] : [{ name: 'rounds', dims: [], int64: rounds }])],
    inputs: [ids, ...(rounds === null ? [{ name: 'many', type: 'int64' as const, dims: [] }] : [])],
    outputs: out,
  });
  const body: MiniGraph = {
    nodes: [node('Identity', ['go'], ['go_on']), matMul('h', 'square', 'next'), node('Relu', ['next'], ['seen'])],
    inputs: [{ name: 'i' }, { name: 'go' }, { name: 'h' }],
    outputs: [{ name: 'go_on' }, { name: 'next' }, { name: 'seen' }],
  };

  test('a loop counts its body as often as it runs', () => {
    const count = counted(loop([6]));
    expect(count).toMatchObject({ total: 6 * 2 * 4 * 8 * 8, exact: true });
    expect(count.byNode[0].times).toBe(6);
    expect(counted(loop([0]))).toMatchObject({ total: 0, exact: true });
    expect(counted(loop(null))).toMatchObject({ total: 0, exact: false, problems: [{ op: 'Loop' }] });
  });

  test('a number of rounds that no double holds is said, and so is a loop that nothing ends', () => {
    const why = (graph: MiniGraph) => counted(graph).problems.map((one) => one.why);
    expect(counted(loop([2 ** 40]))).toMatchObject({ total: 2 ** 40 * 2 * 4 * 8 * 8, exact: true });
    expect(counted(loop([2 ** 53]))).toMatchObject({ total: 2 * 4 * 8 * 8, exact: false });
    expect(why(loop([2 ** 53]))).toEqual(['it runs 9007199254740992 times, beyond 2^53: 1 is counted']);
    const endless = { ...loop([1]), nodes: [{ ...loop([1]).nodes[0], inputs: ['', '', 'input_ids'] }] };
    expect(why(endless)).toEqual(['nothing ends it: 1 is counted']);
    expect(why(loop(null))).toEqual(['how often it runs depends on the texts: 0 is counted']);
  });

  test('a scan is as long as its axis', () => {
    const step: MiniGraph = {
      nodes: [matMul('x', 'square', 'y')],
      inputs: [{ name: 'x' }],
      outputs: [{ name: 'y' }],
    };
    const attributes = {
      body: { graph: step },
      num_scan_inputs: { int: 1 },
      scan_input_axes: { ints: [1] },
      scan_output_axes: { ints: [1] },
    };
    const count = counted({
      nodes: [node('Scan', ['input_ids'], ['s'], { attributes }), matMul('s', 'w', 'out')],
      tensors: [weights('square', 8, 8), w],
      inputs: [ids],
      outputs: out,
    });
    expect(count).toMatchObject({ total: 4 * 2 * 8 * 8 + product, exact: true });
  });
});

describe('functions of the file', () => {
  const call = (name: string, inputs: readonly string[], result: string): MiniNode =>
    node(name, inputs, [result], { domain: 'mine' });
  const graph: MiniGraph = { nodes: [call('f0', ['input_ids'], 'out')], inputs: [ids], outputs: out };
  const square: MiniNode = node('Constant', [], ['k'], { attributes: { value: { tensor: weights('', 8, 8) } } });

  test('are run where they are called, with the attributes of the call', () => {
    const f0 = {
      name: 'f0',
      domain: 'mine',
      inputs: ['x', 'left-out'],
      outputs: ['y'],
      nodes: [
        node('Transpose', ['x'], ['t'], { attributes: { perm: { reference: 'order' } } }),
        square,
        matMul('k', 't', 'y'),
      ],
    };
    const called = { ...graph, nodes: [{ ...graph.nodes[0], attributes: { order: { ints: [0, 2, 1] } } }] };
    expect(countGraph(onnx(called, [f0]), one)).toMatchObject({ total: 2 * 8 * 8 * 4, exact: true });
  });
});

describe('files that are no graphs', () => {
  const good = onnx({
    nodes: [node('Reshape', ['input_ids', 'shape'], ['r']), matMul('r', 'w', 'out')],
    tensors: [w, int64s('shape', [0, -1, 8])],
    inputs: [ids],
    outputs: out,
  });

  test.each([
    ['nothing', new Uint8Array(0)],
    ['a text', new TextEncoder().encode('{"model_type":"bert"}')],
    ['a pointer to the file', new TextEncoder().encode('version https://git-lfs.github.com/spec/v1\noid sha256:0\n')],
    ['zeros', new Uint8Array(64)],
    ['a graph without nodes', onnx({ nodes: [], outputs: [] })],
    ['half a graph', good.subarray(0, good.length >> 1)],
  ])('%s', (_, bytes) => {
    expect(() => countGraph(bytes, one)).toThrow(TenbinError);
    expect(() => countGraph(bytes, one)).toThrow(/is no ONNX graph/);
  });

  test('graphs inside each other end, and so do tensors beyond all bounds', () => {
    let deep: MiniGraph = { nodes: [node('Relu', ['input_ids'], ['out'])], outputs: out };
    for (let i = 0; i < 40; i++)
      deep = { nodes: [node('If', ['c'], ['out'], { attributes: { then_branch: { graph: deep } } })], outputs: out };
    expect(() => countGraph(onnx(deep), one)).toThrow(/deep inside each other/);
    const wide = (dims: number[]) =>
      counted({
        nodes: [matMul('input_ids', 'h', 'out')],
        tensors: [weights('h', ...dims)],
        inputs: [ids],
        outputs: out,
      });
    expect(wide([2 ** 40, 2 ** 40])).toMatchObject({ total: 0, exact: false });
    expect(() => wide(new Array<number>(100).fill(1))).toThrow(/100 axes/);
    const huge = counted({
      nodes: [node('Expand', ['input_ids', 's'], ['e']), matMul('e', 'w', 'out')],
      tensors: [int64s('s', [2 ** 50, 1, 1]), w],
      inputs: [ids],
      outputs: out,
    });
    expect(huge).toMatchObject({ total: 0, exact: false });
  });

  test('damaged bytes give a count or an error of ours, never another', () => {
    const model = readFileSync(
      join(import.meta.dirname, '../../../runners/models/embedded/dense-tiny/onnx/model_w8.onnx'),
    );
    // Nodes lie before the weights: damage there.
    const head = model.subarray(0, 40_000);
    const damaged = (bytes: Uint8Array, at: number, byte: number) => {
      const copy = Uint8Array.from(bytes);
      copy[at % copy.length] = byte;
      return copy;
    };
    const holds = (bytes: Uint8Array) => {
      try {
        const { total, exact, problems } = countGraph(bytes, one);
        expect(total).toBeGreaterThanOrEqual(0);
        expect(exact).toBe(problems.length === 0);
      } catch (error) {
        expect(error).toBeInstanceOf(TenbinError);
      }
    };
    fc.assert(
      fc.property(fc.nat(), fc.nat(255), (at, byte) => holds(damaged(good, at, byte))),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(fc.nat(head.length), fc.nat(255), (at, byte) => holds(damaged(head, at, byte))),
      { numRuns: 100 },
    );
    fc.assert(
      fc.property(fc.nat(good.length), (length) => holds(good.subarray(0, length))),
      { numRuns: 300 },
    );
  });
});
