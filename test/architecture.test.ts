import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const stages = ['core', 'tasks', 'runners', 'results', 'builders', 'training', 'scripts'] as const;

/** The one direction of data: a stage may import itself and those left of it. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  core: [],
  tasks: ['core'],
  runners: ['core', 'tasks'],
  results: ['core', 'tasks', 'runners'],
  builders: ['core', 'tasks', 'runners', 'results'],
  training: ['core', 'tasks', 'runners', 'results'],
  scripts: ['core', 'tasks', 'runners', 'results', 'builders', 'training'],
};

/** Results read runs; they do not make them. */
const resultsSeeOfRunners = /^runners\/(types|system|store|work)\.ts$/;

/** The places that touch files, network, clock, environment or console. */
const outside =
  /^(scripts\/|bench\/|tasks\/(files|store)\.ts$|tasks\/sources\/|runners\/(store|backends\/|hub\/|cache\/)|results\/(store|warehouse)\.ts$)/;
const impure =
  /\bfrom 'node:(fs|fs\/promises|net|http|https|child_process|worker_threads|os|readline|zlib\/promises)'|\bDate\.now\(|\bnew Date\(|\bperformance\.|\bMath\.random\(|\bconsole\.|\bprocess\.(env|argv|stdout|stderr|exit)\b|\bfetch\(/;

const files = [...stages, 'bench', 'test'].flatMap((stage) => sourcesOf(stage));

function sourcesOf(folder: string): string[] {
  return readdirSync(join(root, folder)).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(join(root, path)).isDirectory()) return sourcesOf(path);
    return name.endsWith('.ts') ? [path] : [];
  });
}

function importsOf(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8');
  return [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, target = '']) =>
    normalize(relative(root, join(root, dirname(path), target))).replace(/\.js$/, '.ts'),
  );
}

const product = files.filter((path) => stages.some((stage) => path.startsWith(`${stage}/`)));

test('there are sources to check in every stage', () => {
  for (const stage of stages) expect(product.filter((path) => path.startsWith(`${stage}/`)).length).toBeGreaterThan(3);
});

test.each(stages)('%s imports only itself and what lies left of it', (stage) => {
  const wrong = product
    .filter((path) => path.startsWith(`${stage}/`))
    .flatMap((path) => importsOf(path).map((target) => ({ path, target, to: target.split('/')[0] ?? '' })))
    .filter(({ to }) => to !== stage && !mayImport[stage]?.includes(to));
  expect(wrong).toEqual([]);
});

test('results see of runners only what a run is', () => {
  const seen = product
    .filter((path) => path.startsWith('results/'))
    .flatMap((path) =>
      importsOf(path)
        .filter((target) => target.startsWith('runners/'))
        .map((target) => ({ path, target })),
    )
    .filter(({ target }) => !resultsSeeOfRunners.test(target));
  expect(seen).toEqual([]);
});

test('no import cycles', () => {
  const graph = new Map(product.map((path) => [path, importsOf(path)]));
  const state = new Map<string, 'open' | 'done'>();
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]) => {
    if (state.get(path) === 'done') return;
    if (state.get(path) === 'open') {
      cycles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
      return;
    }
    state.set(path, 'open');
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    state.set(path, 'done');
  };
  for (const path of graph.keys()) visit(path, []);
  expect(cycles).toEqual([]);
});

test('the middle is pure: files, network, clock, environment and console are touched at the edges only', () => {
  const impurities = product
    .filter((path) => !outside.test(path))
    .flatMap((path) =>
      readFileSync(join(root, path), 'utf8')
        .split('\n')
        .map((line, i) => ({ at: `${path}:${i + 1}`, line: line.trim() }))
        .filter(({ line }) => impure.test(line) && !line.startsWith('*') && !line.startsWith('//')),
    );
  expect(impurities).toEqual([]);
});

test('a file holds one idea: 300 lines at most', () => {
  const long = files.filter((path) => readFileSync(join(root, path), 'utf8').split('\n').length > 301);
  expect(long).toEqual([]);
});

test('names say what they hold: no utils, helpers or misc', () => {
  expect(files.filter((path) => /(utils?|helpers?|misc|common)\.ts$/.test(path))).toEqual([]);
});

test('no escapes from the rules', () => {
  const escapes =
    /@ts-ignore|@ts-expect-error|biome-ignore|eslint-disable|\bas any\b|:\s*any\s*[;,)=>{|\]]|\b(test|it|describe)\.(only|todo)\b/;
  const found = files
    .filter((path) => path !== 'test/architecture.test.ts')
    .filter((path) => escapes.test(readFileSync(join(root, path), 'utf8')));
  expect(found).toEqual([]);
});
