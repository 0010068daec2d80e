import { TenbinError } from '../core/errors.js';
import { taskId } from '../core/ids.js';
import { analyzerFor } from '../runners/analyzers/index.js';
import type { Unsealed } from '../tasks/nano-files.js';
import type { Judgements } from '../tasks/types.js';
import type { Collection } from './collection.js';
import { buildCounts } from './counts.js';
import { freeze } from './freeze.js';
import { rankWhole } from './hard-negatives.js';
import type { Identity } from './identity.js';
import type { BuildOptions } from './options.js';
import { poolFacts } from './pool-facts.js';
import { type BuildModels, makePools } from './pools.js';
import { answerable } from './samplers/fill.js';
import { samplers } from './samplers/index.js';

export interface NanoSetRequest {
  readonly identity: Identity;
  readonly collection: Collection;
  /** Lines that the source could not read, left out when lenient. */
  readonly malformedLines: number;
  readonly options: BuildOptions;
  readonly onStep: (step: string) => void;
  readonly models?: BuildModels | undefined;
}

/** Shrinks a collection and makes its pools: a nano-set before it is sealed. */
export async function makeNanoSet(request: NanoSetRequest): Promise<Unsealed> {
  const { identity, collection, options, onStep, models } = request;
  refuseUnanswerable(collection, identity);
  const analyzer = analyzerFor(identity.language, identity.documentLanguage, identity.domain);
  onStep('sampling');
  const sample = await samplers.bind(options.sampler).sample({
    collection,
    limits: options,
    seed: options.seed,
    hardNegatives: (queries, places) => {
      onStep('ranking the whole collection');
      return rankWhole({ collection, analyzer, queries, depth: options.depth, places });
    },
  });
  const frozen = await freeze(collection, sample);
  const made = await makePools({ nano: frozen, analyzer, options, onStep, models });
  return {
    task: taskId(`${identity.suite}/${identity.task}`),
    ...frozen,
    pools: new Map([...made].map(([name, { pool }]) => [name, pool])),
    manifest: {
      ...identity,
      counts: { ...buildCounts(collection, frozen), malformedLines: request.malformedLines },
      notes: sample.notes,
      grades: gradeCounts(frozen.judged),
      pools: Object.fromEntries([...made].map(([name, pool]) => [name, poolFacts(pool, frozen.judged)])),
    },
  };
}

function refuseUnanswerable({ docIds, queries, judged }: Collection, { source }: Identity): void {
  if (answerable(judged).length > 0) return;
  throw new TenbinError('malformed', {
    what: 'No query of this source has a relevant document, so there is nothing to evaluate',
    value: `${source.id}: ${docIds.length} documents, ${queries.length} queries`,
    fix: 'Check the judgements: a relevant document has a grade of at least 1.',
  });
}

function gradeCounts(judged: Judgements): Record<string, number> {
  const counts = new Map<number, number>();
  for (const grades of judged.values()) {
    for (const grade of grades.values()) counts.set(grade, (counts.get(grade) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}
