import { z } from 'zod';
import { TenbinError } from '../core/errors.js';
import { noSuchSystem } from './baseline.js';
import type { Side } from './sides.js';

const estimate = z.looseObject({ value: z.number().nullable(), min: z.number().nullish(), max: z.number().nullish() });
const cost = z.looseObject({
  bytesPerDoc: z.number().nullable(),
  flopsPerQuery: z.number().nullish(),
  indexBytes: z.number().nullish(),
  opsPerQuery: z.record(z.string(), z.number()).optional(),
  latencyMs: z.looseObject({ p50: z.number().nullable(), p95: z.number().nullable() }).optional(),
});
const boardSchema = z.looseObject({
  schema: z.literal('tenbin/board@1'),
  measures: z.array(z.string()),
  tasks: z.array(
    z.looseObject({ id: z.string(), suite: z.string(), language: z.string(), domain: z.string(), digest: z.string() }),
  ),
  systems: z.array(
    z.looseObject({ id: z.string(), tasks: z.record(z.string(), z.record(z.string(), estimate)), cost }),
  ),
});

/** What is read of a board.json. */
export type StoredBoard = z.infer<typeof boardSchema>;

/** Throws `damaged` with path and field. */
export function parseBoard(value: unknown, path: string): StoredBoard {
  const parsed = boardSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new TenbinError('damaged', {
    what: `This is not a board of tenbin/board@1 (${z.prettifyError(parsed.error).split('\n').slice(0, 2).join(' ')})`,
    value: path,
    fix: 'Make it again with `tenbin board`.',
  });
}

/**
 * One system of a board as a side. A board holds means of tasks, so tasks are what is paired, and its costs are means over
 * the tasks already: each task is given them.
 */
export function boardSide(board: StoredBoard, system: string, label: string): Side {
  const found = board.systems.find(({ id }) => id === system);
  if (found === undefined)
    throw noSuchSystem(
      system,
      board.systems.map(({ id }) => id),
      label,
    );
  const costs = new Map(flatCosts(found.cost));
  return {
    label,
    unit: 'task',
    decimals: null,
    tasks: board.tasks.flatMap(({ id, suite, language, domain, digest }) => {
      if (!Object.hasOwn(found.tasks, id)) return [];
      const values = Object.entries(found.tasks[id]).flatMap(([name, { value, min, max }]) =>
        value === null
          ? []
          : [[name, { expected: one(value), min: one(min ?? value), max: one(max ?? value) }] as const],
      );
      return [
        {
          id,
          digest,
          slices: taskSlices({ id, suite, language, domain }),
          queries: [{ id, text: null, slices: [] }],
          values: new Map(values),
          costs,
        },
      ];
    }),
  };
}

const one = (value: number) => Float64Array.of(value);

/** The slices that hold for all queries of a task. */
export function taskSlices(task: {
  readonly id: string;
  readonly suite: string;
  readonly language: string;
  readonly domain: string;
}): readonly string[] {
  const { id, suite, language, domain } = task;
  return [`suite:${suite}`, `task:${id}`, `language:${language}`, `domain:${domain}`];
}

/** Costs by dotted name, as `opsPerQuery.postings` and `latencyMs.p50`; what is undefined is not there. */
export function flatCosts(costs: object, prefix = ''): [string, number][] {
  return Object.entries(costs).flatMap(([name, value]): [string, number][] => {
    if (typeof value === 'number') return [[`${prefix}${name}`, value]];
    return typeof value === 'object' && value !== null ? flatCosts(value, `${prefix}${name}.`) : [];
  });
}
