import { z } from 'zod';
import { isTaskId } from '../../core/ids.js';

/** The schema of the artifact: it stands in the header, and a change of the form below raises it. */
export const replaySchema = 'tenbin/replay@1';

/** No line may be longer: the reader holds one at a time, and stops here. */
export const longestLineBytes = 64 * 2 ** 20;

/** What the digests are over, for whoever checks them with other tools. */
export const digestOf = {
  line: 'sha256 of the canonical JSON of the line without digest: keys in code-point order, no white space, UTF-8, numbers as JavaScript prints them',
  lines: 'sha256 of the digests of all lines in order, each followed by a line feed',
  header: 'sha256 of the canonical JSON of the header without digest; it holds lines, so it names the whole artifact',
} as const;

const sha = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.number().int().nonnegative();
const ordinal = z.number().int().positive();

const taskFacts = z.strictObject({
  task: z.string().refine(isTaskId, 'a task is suite/task'),
  /** Digest of the nano-set. */
  digest: sha,
  language: z.string(),
  documentLanguage: z.string().optional(),
  domain: z.string(),
  licence: z.string(),
  attribution: z.string(),
  queries: count,
});

export const headerForm = z.strictObject({
  schema: z.literal(replaySchema),
  pool: z.string().min(1),
  /** In the order of their lines. */
  tasks: z.array(taskFacts).min(1),
  counts: z.strictObject({ queries: count, candidates: count, forced: count, judgements: count }),
  digestOf: z.strictObject({ line: z.string(), lines: z.string(), header: z.string() }),
  lines: sha,
  digest: sha,
});

const grade = z.number().int();

export const lineForm = z.strictObject({
  /** From 1, over the whole file: a lost or added line shows at its place. */
  index: ordinal,
  task: z.string(),
  query: z.string(),
  text: z.string(),
  /** Best first, scores descending; equal scores are ties. */
  candidates: z.array(
    z.strictObject({
      rank: ordinal,
      id: z.string(),
      text: z.string(),
      score: z.number(),
      forced: z.boolean(),
      /** Null where nobody judged it, which is not 0. */
      grade: grade.nullable(),
    }),
  ),
  /** Judged documents that are no candidates: the ideal of the qrels needs their grades. */
  otherJudged: z.array(z.strictObject({ id: z.string(), grade })),
  digest: sha,
});

export type ReplayHeader = z.infer<typeof headerForm>;
export type ReplayTaskFacts = z.infer<typeof taskFacts>;
export type ReplayLine = z.infer<typeof lineForm>;
