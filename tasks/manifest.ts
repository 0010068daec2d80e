import { z } from 'zod';
import { TenbinError } from '../core/errors.js';
import type { Manifest } from './types.js';

const counts = z.object({ docs: z.number().int(), queries: z.number().int(), qrels: z.number().int() });
const sha = z.string().regex(/^[0-9a-f]{64}$/);
const namePart = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,99}$/);

const manifestSchema = z.object({
  schema: z.literal('tenbin/nano@1'),
  task: namePart,
  suite: namePart,
  source: z.looseObject({ id: z.string(), revision: z.string(), title: z.string(), attribution: z.string() }),
  language: z.string(),
  documentLanguage: z.string().optional(),
  domain: z.string(),
  licence: z.string(),
  citation: z.string(),
  analyzer: z.string(),
  denseModel: sha.optional(),
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  counts: z.object({ read: counts, kept: counts }).catchall(z.union([z.number(), counts])),
  notes: z.array(z.string()),
  grades: z.record(z.string(), z.number()),
  pools: z.record(
    z.string().regex(/^[a-z0-9-]+$/),
    z.looseObject({
      system: z.string(),
      recallAt100: z.number(),
      nDCGAt10: z.number(),
      oracleAt10: z.number(),
      forcedRows: z.number(),
    }),
  ),
  files: z.record(z.string().regex(/^[a-z0-9-]+\/[a-z0-9][a-z0-9._-]*\.parquet$/), sha),
  digest: sha,
});

const rebuild = 'Build the task again with `tenbin build`.';

/** Parses a manifest file; it comes from outside, so its paths and digests are checked like everything else. */
export function parseManifest(text: string, where: string): Manifest {
  const json = parseJson(text, where, rebuild);
  const parsed = manifestSchema.safeParse(json);
  // The parsed copy may have lost fields of a newer version, which the digest covers: hand on what was read.
  if (parsed.success) return json as Manifest;
  throw new TenbinError('damaged', {
    what: `This is not a manifest of tenbin/nano@1 (${z.prettifyError(parsed.error).split('\n').slice(0, 2).join(' ')})`,
    value: where,
    fix: rebuild,
  });
}

/** JSON from a file, or an error that names the file and says how to mend it. */
export function parseJson(text: string, where: string, fix: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new TenbinError('damaged', { what: 'This file is not JSON', value: where, fix, cause });
  }
}
