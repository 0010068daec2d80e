import { expect, test } from 'vitest';
import type { Digest } from '../../core/digest.js';
import { analyzerFor } from '../../runners/analyzers/index.js';
import { parseSystem } from '../../runners/grammar.js';
import { type RunKey, runDigest } from '../../runners/run.js';

const english = analyzerFor('en');
const key: RunKey = {
  nano: 'a'.repeat(64) as Digest,
  system: parseSystem('bm25'),
  analyzer: english,
  options: { depth: 100, seed: 17 },
};

test.each<[string, Partial<RunKey>]>([
  ['the bytes of the nano-set', { nano: 'b'.repeat(64) as Digest }],
  ['a parameter of the system', { system: parseSystem('bm25@k1=0.9') }],
  ['a variant', { system: parseSystem('lsa@64+int8') }],
  ['the analyzer', { analyzer: analyzerFor('de') }],
  ['the data of the analyzer', { analyzer: { ...english, version: `${english.version}.1` } }],
  ['the depth', { options: { depth: 99, seed: 17 } }],
  ['the seed', { options: { depth: 100, seed: 18 } }],
])('%s changes the digest of a run', (_, change) => {
  expect(runDigest({ ...key, ...change })).not.toBe(runDigest(key));
});

test('equal keys have equal digests, and a pool does not depend on an analyzer', () => {
  expect(runDigest({ ...key, system: parseSystem('bm25@k1=1.2') })).toBe(runDigest(key));
  const pool = { ...key, system: parseSystem('hybrid') };
  expect(runDigest({ ...pool, analyzer: analyzerFor('de') })).toBe(runDigest(pool));
});

test('the version of a named analyzer counts, not that of the language', () => {
  const named = { ...key, system: parseSystem('bm25@analyzer=unicode') };
  expect(runDigest({ ...named, analyzer: analyzerFor('de') })).toBe(runDigest(named));
});

test('the digest of a fixed key is this one until engineRevision or the tie key is raised', () => {
  const analyzer = { ...english, id: 'fixed', version: '1' };
  expect(runDigest({ ...key, analyzer })).toBe('4c3f70dcb11aa71961470745641a44df09abfeb255c011f4b8f26c9acf7e7ae8');
});
