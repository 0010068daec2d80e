import { z } from 'zod';
import { printable, TenbinError } from '../../core/errors.js';
import { familyNames } from '../../runners/system.js';
import { defaultLevel } from '../board.js';
import { drawLevels } from '../stats/hierarchical.js';
import type { ParetoBoard } from './types.js';

const absent = z
  .number()
  .nullish()
  .transform((value) => value ?? null);
const bounded = z.looseObject({ value: z.number().nullable(), low: absent, high: absent });
/** Beyond it no axis has marks. */
const largest = 1e300;
/** Three levels are all that a board has: `cost.RPP.nDCG@10.meanOfRatios`. */
const figure = z.number().min(-largest).max(largest).nullable();
const figures = z.record(z.string(), z.union([figure, z.record(z.string(), figure)]));
const cost = z.record(z.string(), z.union([figure, figures]));
const boardSchema = z.looseObject({
  schema: z.literal('tenbin/board@1'),
  primary: z.string(),
  measures: z.array(z.string()),
  // A board that does not say what was drawn is paired by the draws of today.
  interval: z
    .looseObject({
      seed: z.number().int().min(0),
      resamples: z.number().int().min(1).max(1_000_000),
      level: z.enum(drawLevels).default(defaultLevel),
    })
    .default({ seed: 17, resamples: 1000, level: defaultLevel }),
  tasks: z.array(z.looseObject({ id: z.string(), suite: z.string() })),
  systems: z.array(
    z.looseObject({
      id: z.string(),
      family: z.enum(familyNames),
      complete: z.boolean(),
      missing: z.array(z.string()).default([]),
      safeguarded: z.boolean().default(false),
      micro: z.record(z.string(), bounded),
      tasks: z.record(z.string(), z.record(z.string(), z.looseObject({ value: z.number().nullable() }))),
      cost,
    }),
  ),
});

/** A board.json as points need it. Throws `damaged` with path and field. */
export function parseParetoBoard(value: unknown, path: string): ParetoBoard {
  const parsed = boardSchema.safeParse(value);
  if (!parsed.success) throw damaged(path, firstFault(parsed.error));
  const ids = new Set<string>();
  for (const { id } of parsed.data.systems) {
    if (ids.has(id)) throw damaged(path, `it has two systems of the id ${printable(id)}`);
    ids.add(id);
  }
  return parsed.data;
}

/** The first field that is wrong, and how. */
function firstFault({ issues: [{ path, message }] }: z.ZodError): string {
  return printable(`${path.join('.')}: ${message}`);
}

function damaged(path: string, why: string): TenbinError {
  return new TenbinError('damaged', {
    what: `This board lacks what points are made of (${why})`,
    value: path,
    fix: 'Make it again with `tenbin board`.',
  });
}
