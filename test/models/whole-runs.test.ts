import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { taskId } from '../../core/ids.js';
import { catalogFrom, resolveModels } from '../../runners/backends/resolve/index.js';
import { defaultRuntimeSettings, runtimeFor } from '../../runners/backends/runtime.js';
import { parseSystem } from '../../runners/grammar.js';
import { planRuns } from '../../runners/plan.js';
import { defaultRunOptions } from '../../runners/run.js';
import { type RunOutcome, runTask } from '../../runners/run-task.js';
import { readRecord, readRun, runPath } from '../../runners/store.js';
import { sealNanoSet } from '../../tasks/nano-files.js';
import { readManifest, writeNanoSet } from '../../tasks/store.js';
import { cohere, jina, ollama, openAi, tei } from '../api/documented.js';
import { loopback } from '../api/loopback.js';
import { commit, openHub } from '../hub/loopback-hub.js';
import { chatServer, perfect } from '../llm/chat-server.js';
import { animals, smallNano, temporaryFolder } from '../small-nano.js';

const task = taskId('test/small');
const secret = 'sk-very-secret';
const embedded = join(import.meta.dirname, '../../runners/models/embedded/dense-tiny');

/** Looks the systems up, plans and runs them as the command line does, in this thread. */
async function runAll(root: string, systems: readonly string[], environment: Readonly<Record<string, string>>) {
  const notes: string[] = [];
  const settings = { ...defaultRuntimeSettings, root };
  const { access, runtime, close } = runtimeFor(settings, environment, { onNote: (text) => notes.push(text) });
  const { catalog, failures } = await catalogFrom(await resolveModels(systems, access), access);
  const manifest = await readManifest(root, task);
  const options = defaultRunOptions;
  const parsed = systems.map((text) => parseSystem(text, catalog));
  const runs = await planRuns({ root, manifests: manifest === null ? [] : [manifest], systems: parsed, options });
  const todo = runs.filter(({ state }) => state !== 'current');
  const context = { clock: () => 0, onOutcome: () => undefined, catalog, runtime };
  const outcomes = await runTask({ root, task, runs: todo, options }, context);
  await close();
  return { outcomes, notes, failures };
}

async function smallRoot(): Promise<string> {
  const root = temporaryFolder();
  await writeNanoSet(root, sealNanoSet(smallNano(animals)));
  return root;
}

const statuses = (outcomes: readonly RunOutcome[]) => outcomes.map(({ system, status }) => [system, status]);

function everythingBelow(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

describe('services', () => {
  const cases = [
    ['openai:small+truncate@2', 'OPENAI_BASE_URL', (seen: Parameters<typeof openAi>[0]) => openAi(seen), '/v1'],
    ['ollama:small+int8', 'OLLAMA_HOST', (seen: Parameters<typeof ollama>[0]) => ollama(seen), ''],
    ['bm25 > cohere:rerank-small@3', 'COHERE_BASE_URL', (seen: Parameters<typeof cohere>[0]) => cohere(seen), ''],
    ['bm25 > jina:rerank-small@3', 'JINA_BASE_URL', (seen: Parameters<typeof jina>[0]) => jina(seen), '/v1'],
  ] as const;

  test.each(cases)(
    '%s runs, tells what it spends, and asks nothing the second time',
    async (system, variable, reply, path) => {
      const server = await loopback(reply);
      const root = await smallRoot();
      const key = variable.replace(/BASE_URL|HOST/, 'API_KEY');
      const environment = { [variable]: server.url + path, [key]: secret };
      const first = await runAll(root, [system], environment);
      expect(statuses(first.outcomes)).toEqual([[system, 'complete']]);
      expect(first.notes.join('\n')).toMatch(/request/);
      const asked = server.seen.length;
      expect(asked).toBeGreaterThan(0);
      const before = await readRun(join(root, runPath(task, system)));
      // The run is current now; made again from the cache it is the same.
      expect((await runAll(root, [system], environment)).outcomes).toEqual([]);
      const other = system.includes('+') ? `${system}+rescore@2` : system.replace('@3', '@2');
      await runAll(root, [system.includes('truncate') ? 'openai:small+truncate@3' : other], environment);
      const isReranker = system.includes('>');
      expect(server.seen.length > asked).toBe(isReranker);
      expect(before?.rankings.size).toBe(3);
      expect(everythingBelow(root)).not.toContain(secret);
      expect(first.notes.join('\n')).not.toContain(secret);
    },
  );

  test('a TEI server says itself what it is', async () => {
    for (const [kind, system] of [
      ['embedding', ''],
      ['splade', '+prune(query=2,doc=3)'],
      ['reranker', '@3'],
    ] as const) {
      const server = await loopback((seen) => tei(seen, kind));
      const root = await smallRoot();
      const name = kind === 'reranker' ? `bm25 > tei:${server.url}@3` : `tei:${server.url}${system}`;
      const { outcomes } = await runAll(root, [name], {});
      expect(statuses(outcomes)).toEqual([[name, 'complete']]);
      const family = { embedding: 'dense', splade: 'sparse', reranker: 'reranker' }[kind];
      expect(await readRecord(join(root, runPath(task, name)))).toMatchObject({ family });
    }
  });

  test('a language model orders candidates, its calls are logged and counted, its key is nowhere', async () => {
    const server = await chatServer(perfect);
    const root = await smallRoot();
    const system = 'hybrid > llm:judge@schedule=pairwise.heapsort@3';
    const { outcomes } = await runAll(root, [system], { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: secret });
    expect(statuses(outcomes)).toEqual([[system, 'complete']]);
    const record = await readRecord(join(root, runPath(task, system)));
    expect(record).toMatchObject({ family: 'reranker', conditions: { 'stage2.llm.answers.malformed': 0 } });
    const work = record?.status === 'complete' ? record.cost.work : {};
    expect(work.calls).toBeGreaterThan(0);
    const [log] = readdirSync(join(root, 'logs'));
    const lines = readFileSync(join(root, 'logs', log as string), 'utf8')
      .trim()
      .split('\n');
    expect(lines).toHaveLength(server.seen.length);
    expect(everythingBelow(root)).not.toContain(secret);
  });

  test('one service that is down fails its systems and no other', async () => {
    const server = await loopback(() => ({ status: 401, json: { error: { message: 'bad key' } } }));
    const root = await smallRoot();
    const environment = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: secret };
    const { outcomes } = await runAll(root, ['openai:small', 'bm25'], environment);
    expect(statuses(outcomes)).toEqual([
      ['openai:small', 'failed'],
      ['bm25', 'complete'],
    ]);
    expect(outcomes[0]?.reason).toMatch(/OPENAI_API_KEY/);
    expect(everythingBelow(root)).not.toContain(secret);
  });
});

describe('the hub', () => {
  const files = () =>
    new Map(
      readdirSync(embedded, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => {
          const path = join(entry.parentPath, entry.name);
          const name = path.slice(embedded.length + 1).replace('onnx/model_w8.onnx', 'onnx/model.onnx');
          return [name, readFileSync(path)] as const;
        }),
    );

  test('a repository without a card is read, downloaded, and gives what the same files in a folder give', async () => {
    const hub = await openHub({ files: files(), lfsFromBytes: 1 << 20, repo: 'org/dense' });
    const root = await smallRoot();
    const environment = { HF_ENDPOINT: hub.endpoint, HF_HOME: join(root, 'hf') };
    const systems = ['hub:org/dense', 'hub:org/dense@main,dtype=fp32', 'dense-tiny'];
    const { outcomes } = await runAll(root, systems, environment);
    expect(statuses(outcomes)).toEqual(systems.map((system) => [system, 'complete']));
    const rankings = await Promise.all(
      systems.map(async (id) => (await readRun(join(root, runPath(task, id))))?.rankings),
    );
    expect(rankings[0]).toEqual(rankings[2]);
    expect(rankings[1]).toEqual(rankings[2]);
    expect(readFileSync(join(root, 'hf/hub/models--org--dense/refs/main'), 'utf8')).toBe(commit);
    const asked = hub.asked.length;
    const offline = { ...environment, HF_HUB_OFFLINE: '1' };
    expect((await runAll(root, ['hub:org/dense'], offline)).outcomes).toEqual([]);
    expect(hub.asked).toHaveLength(asked);
  });

  test('one repository that is missing fails its systems and no other, in the hub’s words', async () => {
    const hub = await openHub({ files: files(), repo: 'org/dense' });
    const root = await smallRoot();
    const environment = { HF_ENDPOINT: hub.endpoint, HF_HOME: join(root, 'hf'), HF_TOKEN: 'hf_secret' };
    const { outcomes, failures } = await runAll(root, ['hub:org/nothing', 'bm25'], environment);
    expect(statuses(outcomes)).toEqual([
      ['hub:org/nothing', 'failed'],
      ['bm25', 'complete'],
    ]);
    expect(failures.get('hub:org/nothing')).toContain('org/nothing');
    expect(everythingBelow(root)).not.toContain('hf_secret');
  });
});

test('the embedded models of all families run, again from the cache alone, and a changed file makes a run stale', async () => {
  const root = await smallRoot();
  const systems = [
    'dense-tiny',
    'dense-tiny+truncate@32+int8+rescore@2',
    'splade-tiny+prune(query=16,doc=64)',
    'colbert-tiny+pool@2+int8',
    'hybrid > colbert-tiny@3',
    'hybrid > ce-tiny@3',
  ];
  const { outcomes } = await runAll(root, systems, {});
  expect(statuses(outcomes)).toEqual(systems.map((system) => [system, 'complete']));
  const record = await readRecord(join(root, runPath(task, 'hybrid > ce-tiny@3')));
  expect(record).toMatchObject({
    family: 'reranker',
    conditions: { 'stage2.onnx.dtype': 'w8', 'stage2.tokens.pairs.truncated': 0 },
  });
  expect(record?.status === 'complete' && record.cost.modelBytes).toBe(5_011_545);
  expect((await runAll(root, systems, {})).outcomes).toEqual([]);
}, 60_000);
