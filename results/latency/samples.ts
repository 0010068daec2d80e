import { z } from 'zod';
import { printable, TenbinError } from '../../core/errors.js';
import { requestParts } from '../../core/request-parts.js';

const ms = z.number().nonnegative().max(1e12);
const count = z.number().int().nonnegative();
const name = z.string().min(1).max(10_000);
const fact = z.union([z.string().max(10_000), z.number(), z.boolean(), z.null()]);
const facts = z.record(z.string().max(1000), fact);
const tokenFacts = z.strictObject({ by: name, p50: count, p95: count, max: count });

const sample = z.strictObject({
  /** Position of the query in the task. */
  query: count,
  /** When it was asked (in open load, when it was due), from the start of the measurement. */
  arrivalMs: ms,
  startMs: ms,
  endMs: ms,
  parts: z.strictObject(Object.fromEntries(requestParts.map((part) => [part, ms.optional()]))),
  /** Tokens through models; null where a model did not say. */
  tokens: count.nullable(),
  pairs: count,
  /** Why there is no answer. */
  failed: z.string().max(10_000).optional(),
});

const model = z.strictObject({
  model: name,
  /** Weights as they are stored. */
  bytes: count,
  /** By how much the resident memory of the process grew while it was opened; null for services, and where it did not grow. */
  memoryBytes: z.number().int().positive().nullable(),
  /** Greatest difference between a query encoded live and the vector that is searched with, as a share of its greatest number. */
  liveDifference: z.number().nonnegative().nullable(),
  /** Number format, engine, lengths: what it says of itself. */
  conditions: facts,
});

const measured = z.strictObject({
  system: name,
  /** Users who ask at the same time; in open load the requests that are served at once. */
  concurrency: z.number().int().positive(),
  load: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('closed') }),
    z.strictObject({ kind: z.literal('open'), ratePerSecond: z.number().positive() }),
  ]),
  slots: z.number().int().positive(),
  /** Fewer requests than were wanted: it was stopped. */
  interrupted: z.boolean(),
  samples: z.array(sample).max(10_000_000),
  /** Of services; null where every model runs here. */
  service: z
    .strictObject({ retries: count, promptTokens: count.nullable(), completionTokens: count.nullable() })
    .nullable(),
  models: z.array(model),
  queryTokens: z.array(tokenFacts),
  notTimed: z.array(z.strictObject({ model: name, why: z.string().max(10_000) })),
  conditions: facts,
});

const record = z.strictObject({
  schema: z.literal('tenbin/latency@1'),
  task: name,
  conditions: facts,
  resolutionMs: z.number().positive().max(1e6),
  seed: count,
  measured: z.array(measured),
  /** The two whose requests took turns. */
  paired: z.strictObject({ a: name, b: name }).nullable(),
  refused: z.array(z.strictObject({ system: name, reason: z.string().max(100_000) })),
});

export type Sample = Readonly<z.infer<typeof sample>>;
export type Measured = Readonly<z.infer<typeof measured>>;
export type OpenedModel = Readonly<z.infer<typeof model>>;
/** What was measured, before anything is made of it: the file that a report can be made of again. */
export type LatencyRecord = Readonly<z.infer<typeof record>>;

/** The record of a file's text; what does not belong there is `malformed` and named. */
export function parseRecord(text: string, path: string): LatencyRecord {
  const read = record.safeParse(jsonOf(text, path));
  if (!read.success) throw malformed(path, firstFault(read.error));
  const { measured: lists, paired } = read.data;
  for (const { system, samples } of lists) {
    const wrong = samples.findIndex(({ arrivalMs, startMs, endMs }) => arrivalMs > startMs || startMs > endMs);
    if (wrong !== -1) throw malformed(path, `sample ${wrong + 1} of ${printable(system)} ends before it begins`);
  }
  for (const side of paired === null ? [] : [paired.a, paired.b]) {
    if (!lists.some(({ system }) => system === side)) throw malformed(path, `it has no samples of ${printable(side)}`);
  }
  return read.data;
}

/** The first field that is wrong, and how: a file of something else lacks all of them. */
function firstFault({ issues: [{ path, message }] }: z.ZodError): string {
  return printable(path.length === 0 ? message : `${path.join('.')}: ${message}`);
}

function jsonOf(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed(path, 'it is not JSON');
  }
}

function malformed(path: string, why: string): TenbinError {
  return new TenbinError('malformed', {
    what: `This is no file of \`tenbin latency\` (${why})`,
    value: path,
    fix: 'Its files lie in `latency/` below --out; measure again if it was changed.',
  });
}
