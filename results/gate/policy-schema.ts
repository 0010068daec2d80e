import { z } from 'zod';
import type { Json } from '../../core/canonical.js';
import { corrections } from '../stats/corrections.js';

const name = (description: string) => z.string().min(1).max(1000).describe(description);
const minQueries = z.number().int().min(1).max(1_000_000_000);

const budget = (description: string) =>
  z
    .union([z.number().nonnegative().max(Number.MAX_VALUE), z.string().regex(/^\d{1,9}(\.\d{1,9})? ?%$/)])
    .describe(`${description}: a number from 0 in the unit of the value, or a share of the baseline's value as 2%.`);
const drop = budget('How far the value may fall');
const rise = budget('How far the value may rise, for values of which less is better');

const ofMeasure = {
  measure: name('A measure in the spelling of ir_measures or trec_eval, such as nDCG@10; `tenbin measures` lists all.'),
  slice: name('Only the queries of this slice, such as language:ja.').default('all'),
  fail: z
    .enum(['interval', 'on-point'])
    .describe('interval: fails when the change is surely worse than the budget; on-point: when the mean itself is.')
    .default('interval'),
  minQueries: minQueries
    .describe('With fewer queries the check is missing; the policy has it for all checks.')
    .optional(),
};
const ofCost = { cost: name('A cost of run.json by its dotted name, such as bytesPerDoc or opsPerQuery.postings.') };

/** A check has one subject and one budget, so there are four shapes, each of them strict. */
export const checkSchemas = {
  measure: { drop: z.strictObject({ ...ofMeasure, drop }), rise: z.strictObject({ ...ofMeasure, rise }) },
  cost: { drop: z.strictObject({ ...ofCost, drop }), rise: z.strictObject({ ...ofCost, rise }) },
};

const path = (description: string) => name(`${description} Relative to the policy's file.`).optional();

/** All but the checks, whose shape depends on their keys. */
export const headSchema = z.strictObject({
  qrels: path('Judgements, where the sides are run files.'),
  baseline: path('A baseline file, a board, an out/ folder or a run file; may be given on the command line.'),
  candidate: path('An out/ folder, a board, a baseline or a run file; may be given on the command line.'),
  system: z
    .union([
      name('The system of both sides, as on the board.'),
      z.strictObject({
        baseline: name('The system of the baseline.'),
        candidate: name('The system of the candidate.'),
      }),
      z.array(name('One of several systems, each held to every check.')).min(1).max(1000),
    ])
    .describe('The system to compare: one name, one for each side, or a list of names. Run files need none.')
    .optional(),
  tasks: z
    .array(name('A task, a suite, a glob, language:xx or !selector.'))
    .min(1)
    .max(10_000)
    .describe('Only these tasks.')
    .optional(),
  slices: path('Slices of your own: lines of query id, tab, name.'),
  confidence: z.number().gt(0).lt(1).describe('Of the intervals over the family of checks, a share.').default(0.95),
  correction: z.enum(corrections).describe('For several checks in one policy.').default('holm'),
  seed: z
    .number()
    .int()
    .min(0)
    .max(2 ** 32 - 1)
    .describe('Of the bootstrap and the sign flips: same seed, same verdict.')
    .default(17),
  resamples: z.number().int().min(100).max(1_000_000).describe('Of the bootstrap and the sign flips.').default(10_000),
  minQueries: minQueries.describe('With fewer queries a check is missing.').default(1),
  worst: z.number().int().min(0).max(1000).describe('Queries named per check, worst first.').default(5),
  checks: z.array(z.unknown()).min(1).max(1000).describe('What must not get worse.'),
  onMissing: z
    .enum(['fail', 'warn'])
    .describe('What to do when something that a check asks for is not there: exit 3, or 0 with a warning.')
    .default('fail'),
  onInconclusive: z
    .enum(['pass', 'fail'])
    .describe('What to do when the queries cannot decide: exit 0, or 3.')
    .default('pass'),
});

/**
 * The JSON schema of a policy, for editors. Draft 7: the one that every YAML language server knows. It can say neither
 * which measures there are nor that checks differ; the gate itself does.
 */
export function policyJsonSchema(): Json {
  const { measure, cost } = checkSchemas;
  const check = z.union([measure.drop, measure.rise, cost.drop, cost.rise]);
  const whole = headSchema.extend({ checks: z.array(check).min(1).max(1000).describe('What must not get worse.') });
  const { $schema, ...rest } = z.toJSONSchema(whole, { target: 'draft-7', io: 'input' });
  const titled = { $schema, $id: 'urn:tenbin:gate.schema.json', title: 'Policy of `tenbin gate`', ...rest };
  // The library types its schema wider than JSON.
  return JSON.parse(JSON.stringify(titled)) as Json;
}
