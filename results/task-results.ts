import { z } from 'zod';
import type { QueryId } from '../core/ids.js';
import type { Run } from '../runners/types.js';
import { flopsOfQuery } from '../runners/work.js';
import type { Judgements, Manifest } from '../tasks/types.js';
import type { Origin, TaskResults } from './board-types.js';
import { deepestCutoff } from './cutoff.js';
import { scoreRun } from './score.js';
import type { Measure } from './types.js';

/** One run scored on its task, as the board takes it. Queries stand in the order of the judgements for all systems. */
export function taskResults(
  run: Run,
  { judged, manifest }: { readonly judged: Judgements; readonly manifest: PoolKeeping },
  measures: readonly Measure[],
): TaskResults {
  const { values } = scoreRun({ rankings: run.rankings, judged, measures, run: run.system });
  const cutoff = deepestCutoff(measures.map(({ name }) => name));
  const imported = importedFrom(run.conditions);
  return {
    ...{ cost: run.cost, queryMs: run.timing.queryMs, values },
    queryFlops: queryFlops(run, [...judged.keys()]),
    safeguarded: isSafeguarded(run, manifest, cutoff),
    frozen: run.conditions.pool !== undefined,
    ...(imported && { imported }),
  };
}

/** In that order; null where a query's are not known, or the run did not count them. */
function queryFlops({ queryWork }: Run, queries: readonly QueryId[]): Float64Array | null {
  const flops = queries.map((query) => {
    const work = queryWork?.get(query);
    return work === undefined ? null : flopsOfQuery(work);
  });
  const known = flops.filter((value) => value !== null);
  return known.length < flops.length ? null : Float64Array.from(known);
}

const origin = z
  .object({ format: z.string().catch('unknown'), file: z.string().catch('unknown') })
  .catch({ format: 'unknown', file: 'unknown' });

/** A run with that condition was made elsewhere, however well it says where. */
function importedFrom({ imported }: Run['conditions']): Origin | undefined {
  return imported === undefined ? undefined : origin.parse(imported);
}

type PoolKeeping = Pick<Manifest, 'pools' | 'options'>;

/**
 * Whether positives that a safeguard forced into a pool of this task can help the run. A stage behind the pool may lift
 * them; in a pool as it stands an appended one lies below the others, out of reach of a cut-off within the pool's size.
 */
function isSafeguarded({ conditions }: Run, { pools, options }: PoolKeeping, cutoff: number): boolean {
  if (!Object.values(pools).some(({ forcedRows }) => forcedRows > 0)) return false;
  const outOfReach = options.safeguard === 'append' && Number(options.poolSize) >= cutoff;
  return Object.entries(conditions).some(
    ([name, value]) => value === 'with' && (name === 'forcedRows' ? !outOfReach : name.endsWith('.forcedRows')),
  );
}
