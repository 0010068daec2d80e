import { expect, test } from 'vitest';
import { builderRevision, hasIdentity, type Identity } from '../../builders/identity.js';
import { builtNanoSet } from './build-memory.js';
import { wordCollection } from './memory-source.js';

const options = { queries: 4, docs: 20, depth: 20, poolSize: 5, dense: 'lsa@16' } as const;

test('another revision of the builder makes a nano-set stale', async () => {
  const { manifest } = await builtNanoSet(wordCollection(30), { options });
  const identity = { ...manifest, builder: builderRevision } as unknown as Identity;
  expect(hasIdentity(manifest, identity)).toBe(true);
  expect(hasIdentity(manifest, { ...identity, builder: builderRevision + 1 })).toBe(false);
});
