import type { Json } from '../../../core/canonical.js';
import type { DenseTexts, OnStep, SparseTexts, TextEncoder } from '../../open-model.js';
import type { ModelAccess } from '../../system.js';
import { type Reading, unexpected } from './answers.js';
import { batchesOf, estimatedTokens, placeOf, type Range, sendable } from './batches.js';
import { tooLong } from './failures.js';
import type { Answer } from './http.js';
import { type Asked, askHalving, inParallel } from './in-parallel.js';
import { type SparseRow, sparseTermCount } from './rows.js';
import { opened, type Session } from './session.js';
import { estimateSpend, type Metered, type Usage } from './spend.js';

/** How a service is asked for the rows of some texts. */
export interface EmbeddingApi<Row> {
  /** Appended to the address. */
  readonly path: string;
  readonly body: (texts: readonly string[]) => Json;
  /** One row per text, in their order; an answer that does not give that is an error. */
  readonly read: (answer: Answer, reading: Reading) => { readonly rows: readonly Row[]; readonly usage: Usage };
}

/** Vectors of one length, as the service gave them. */
export function denseEncoder(
  session: Session,
  api: EmbeddingApi<Float32Array>,
  access: ModelAccess,
): TextEncoder & Metered {
  let dims: number | null = null;
  const sameLength: EmbeddingApi<Float32Array>['read'] = (answer, reading) => {
    const found = api.read(answer, reading);
    for (const [i, { length }] of found.rows.entries()) {
      dims ??= length;
      if (length === dims) continue;
      throw unexpected(reading.title, `${length} dimensions for ${reading.place(i)}, ${dims} for texts before`);
    }
    return found;
  };
  return encoder(session, access, async (texts, onStep) => {
    const rows = await rowsOf(session, { ...api, read: sameLength }, { texts, onStep });
    // Where nothing was embedded yet nobody knows the length; one keeps numbers / dims = texts.
    return denseTexts(rows, dims ?? 1);
  });
}

/** Weighted terms, as the service gave them. */
export function sparseEncoder(
  session: Session,
  api: EmbeddingApi<SparseRow>,
  access: ModelAccess,
): TextEncoder & Metered {
  return encoder(session, access, async (texts, onStep) => sparseTexts(await rowsOf(session, api, { texts, onStep })));
}

type Encode = (texts: readonly string[], onStep: OnStep | undefined) => Promise<DenseTexts | SparseTexts>;

function encoder(session: Session, access: ModelAccess, encode: Encode): TextEncoder & Metered {
  return {
    kind: 'encoder',
    ...opened(session, access),
    // Services of these kinds know no roles: a query is embedded as a document is.
    encode: async (texts, _role, onStep) => ({ ...(await encode(texts, onStep)), tokens: null }),
    tokenIds: () => null,
  };
}

interface Work {
  readonly texts: readonly string[];
  readonly onStep: OnStep | undefined;
}

async function rowsOf<Row>(session: Session, api: EmbeddingApi<Row>, { texts, onStep }: Work): Promise<readonly Row[]> {
  const sent = texts.map(sendable);
  const batches = batchesOf(sent.map(estimatedTokens), session.api.limits);
  session.announce(estimateSpend(sent, session.api.limits));
  const ask = async ({ start, end }: Range, signal: AbortSignal): Promise<Asked<Row>> => {
    const outcome = await session.client.post(api.path, api.body(sent.slice(start, end)), signal);
    const place = (position: number) => placeOf('text', start + position, texts);
    if (outcome.kind === 'too-large') {
      return { kind: 'too-large', error: () => tooLong(outcome.refused, session.client.connection, place(0)) };
    }
    const reading = { title: session.api.service.title, count: end - start, place };
    const { rows, usage } = api.read(outcome, reading);
    session.meter.answered(usage);
    onStep?.(end - start);
    return { kind: 'rows', rows };
  };
  const parts = await inParallel(session.limiter, batches, (batch, signal) =>
    askHalving(batch, (range) => ask(range, signal)),
  );
  return parts.flat();
}

function denseTexts(rows: readonly Float32Array[], dims: number): DenseTexts {
  const vectors = new Float32Array(rows.length * dims);
  for (const [i, row] of rows.entries()) vectors.set(row, i * dims);
  return { kind: 'dense', dims, vectors };
}

function sparseTexts(rows: readonly SparseRow[]): SparseTexts {
  const offsets = new Int32Array(rows.length + 1);
  for (const [i, { terms }] of rows.entries()) offsets[i + 1] = offsets[i] + terms.length;
  const terms = new Int32Array(offsets[rows.length]);
  const weights = new Float32Array(offsets[rows.length]);
  for (const [i, row] of rows.entries()) {
    terms.set(row.terms, offsets[i]);
    weights.set(row.weights, offsets[i]);
  }
  return { kind: 'sparse', termCount: sparseTermCount, offsets, terms, weights };
}
