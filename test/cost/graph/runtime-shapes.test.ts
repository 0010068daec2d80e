import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CountRequest } from '../../../runners/cost/graph/index.js';
import { readModel } from '../../../runners/cost/graph/onnx/read-model.js';
import { walkModel } from '../../../runners/cost/graph/walk-model.js';
import { hasShared, sharedModels } from '../../onnx/cards.js';
import { needsShared } from '../../onnx/references.js';
import { profiled } from './profile.js';

const root = join(import.meta.dirname, '../../..');
const embedded = join(root, 'runners/models/embedded');

const graphsUnder = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.onnx'))
    .sort();
const sharedGraphs = hasShared ? graphsUnder(sharedModels) : [];

const texts: readonly CountRequest[] = [
  { batch: 1, tokens: 1 },
  { batch: 1, tokens: 13 },
  { batch: 3, tokens: 8 },
  { batch: 2, tokens: 128 },
];
const withCache = [...texts, { batch: 2, tokens: 1, pastTokens: 9 }, { batch: 1, tokens: 4, pastTokens: 31 }];
const withSource = texts.map((request, i) => ({ ...request, sourceTokens: 5 + i * 11 }));

function requestsFor(path: string): readonly CountRequest[] {
  if (path.includes('random-llama')) return withCache;
  if (statSync(path).size > 20e6) return texts.slice(1, 3);
  return path.endsWith('decoder_model.onnx') ? withSource : texts;
}

/** Every node that the runtime ran, and its outputs there and here. */
async function compare(path: string): Promise<void> {
  const model = readModel(readFileSync(path));
  const requests = requestsFor(path);
  const runs = await profiled(path, requests);
  expect(runs.length).toBe(requests.length);
  requests.forEach((request, i) => {
    const { tensors, sink } = walkModel(model, request);
    expect(sink.problems).toEqual([]);
    const nodes = model.graph.nodes
      .map((node, at) => ({ ...node, name: node.name || `${node.op}_${at}` }))
      .filter(({ op }) => op !== 'Constant');
    const ran = nodes.filter(({ name }) => runs[i].has(name));
    // The runtime has no Softmax of half numbers, and runs its parts.
    const split = path.endsWith('fp16.onnx') ? ['node_softmax', 'node_softmax_1'] : [];
    expect(nodes.filter((node) => !ran.includes(node)).map(({ name }) => name)).toEqual(split);
    const here = ran.map(({ name, outputs }) => [name, outputs.filter(Boolean).map((one) => tensors.get(one)?.shape)]);
    const there = ran.map(({ name }) => [name, runs[i].get(name)]);
    expect(here).toEqual(there);
  });
}

describe('shapes are those that ONNX Runtime writes into its profile, node by node', () => {
  test.each(graphsUnder(embedded))('embedded %s', async (path) => {
    await compare(join(embedded, path));
  });

  test.skipIf(!hasShared)(`graphs of ../shared/models are there${needsShared}`, () => {
    expect(sharedGraphs.length).toBeGreaterThan(10);
  });
  test.each(sharedGraphs)('shared %s', async (path) => compare(join(sharedModels, path)), 60_000);
});
