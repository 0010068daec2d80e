import type { Json } from '../../../core/canonical.js';
import type { OnStep, Pair, PairScorer, PairScores } from '../../open-model.js';
import type { ModelAccess } from '../../system.js';
import type { Reading } from './answers.js';
import { batchesOf, estimatedTokens, placeOf, type Range, sendable } from './batches.js';
import { tooLong } from './failures.js';
import type { Answer } from './http.js';
import { type Asked, askHalving, inParallel } from './in-parallel.js';
import { opened, type Session } from './session.js';
import { type Metered, sumOf, type Usage } from './spend.js';

/** How a service is asked to score the documents of one query. */
export interface RerankApi {
  readonly path: string;
  readonly body: (query: string, documents: readonly string[]) => Json;
  /** One score per document, in their order; an answer that does not give that is an error. */
  readonly read: (answer: Answer, reading: Reading) => { readonly scores: readonly number[]; readonly usage: Usage };
}

/** Scores as the service gives them, in float64. */
export function pairScorer(session: Session, api: RerankApi, access: ModelAccess): PairScorer & Metered {
  let isAnnounced = false;
  const announce: Session['announce'] = (estimate) => {
    if (isAnnounced || estimate.requests === 0) return;
    isAnnounced = true;
    session.announce(estimate);
  };
  return {
    kind: 'scorer',
    ...opened(session, access),
    score: (pairs, onStep) => scoresOf({ ...session, announce }, api, { pairs, onStep }),
    tokenIds: () => null,
    probability: 'margin',
  };
}

/** Some of a query's documents: those of the pairs at `positions`. */
interface Chunk {
  readonly query: string;
  readonly positions: readonly number[];
}

interface Work {
  readonly pairs: readonly Pair[];
  readonly onStep: OnStep | undefined;
}

async function scoresOf(session: Session, api: RerankApi, { pairs, onStep }: Work): Promise<PairScores> {
  const margins = new Float64Array(pairs.length);
  const documents = pairs.map(({ document }) => document);
  const sent = documents.map(sendable);
  const tokens = pairs.map(({ query }, i) => estimatedTokens(query) + estimatedTokens(sent[i]));
  const chunks = chunksOf(pairs, tokens, session);
  session.announce({ requests: chunks.length, tokens: sumOf(tokens), of: 'pairs' });
  const ask = async ({ query, positions }: Chunk, signal: AbortSignal): Promise<Asked<number>> => {
    const body = api.body(
      sendable(query),
      positions.map((position) => sent[position]),
    );
    const outcome = await session.client.post(api.path, body, signal);
    const place = (i: number) => placeOf('the document of pair', positions[i], documents);
    if (outcome.kind === 'too-large') {
      return { kind: 'too-large', error: () => tooLong(outcome.refused, session.client.connection, place(0)) };
    }
    const { scores, usage } = api.read(outcome, {
      title: session.api.service.title,
      count: positions.length,
      place,
    });
    session.meter.answered(usage);
    onStep?.(positions.length);
    return { kind: 'rows', rows: scores };
  };
  await inParallel(session.limiter, chunks, async (chunk, signal) => {
    const part = ({ start, end }: Range) => ({ ...chunk, positions: chunk.positions.slice(start, end) });
    const scores = await askHalving({ start: 0, end: chunk.positions.length }, (range) => ask(part(range), signal));
    for (const [i, position] of chunk.positions.entries()) margins[position] = scores[i];
  });
  return { margins, tokens: null };
}

/** Pairs by query, in the order in which the queries first come, in as few requests as the limits allow. */
function chunksOf(pairs: readonly Pair[], tokens: readonly number[], { api: { limits } }: Session): readonly Chunk[] {
  const byQuery = new Map<string, number[]>();
  for (const [position, { query }] of pairs.entries()) {
    const positions = byQuery.get(query);
    if (positions === undefined) byQuery.set(query, [position]);
    else positions.push(position);
  }
  return [...byQuery].flatMap(([query, positions]) => {
    const sizes = positions.map((position) => tokens[position]);
    return batchesOf(sizes, limits).map(({ start, end }) => ({ query, positions: positions.slice(start, end) }));
  });
}
