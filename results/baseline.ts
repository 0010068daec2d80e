import { z } from 'zod';
import type { Json } from '../core/canonical.js';
import { digestOf } from '../core/digest.js';
import { TenbinError } from '../core/errors.js';
import { byCodePoint } from '../core/order.js';
import { decodeValues, encodeValues } from './baseline-values.js';
import { inIdOrder, type Side, type SideTask, shortenedCost } from './sides.js';

const schema = 'tenbin/baseline@1';
const sha = z.string().regex(/^[0-9a-f]{64}$/);

const baselineSchema = z.strictObject({
  schema: z.literal(schema),
  /** sha256 of the canonical JSON of everything else here. */
  digest: sha,
  /** Why it took the place of another one, and of which; null for the first. */
  accepted: z.strictObject({ reason: z.string().min(1), replaces: sha.nullable() }).nullable(),
  /** Values are whole numbers of 10^-decimals. */
  decimals: z.number().int().min(0).max(15),
  measures: z.array(z.string()),
  tasks: z.array(
    z.strictObject({
      id: z.string(),
      digest: z.string(),
      slices: z.array(z.string()),
      /** How many; their ids hang on the digest. */
      queries: z.number().int().nonnegative(),
    }),
  ),
  systems: z.array(
    z.strictObject({
      id: z.string(),
      tasks: z.array(
        z.strictObject({
          id: z.string(),
          costs: z.record(z.string(), z.number()),
          /** By measure: a column in the code-point order of the queries' ids, as text of `encodeValues`. */
          values: z.record(z.string(), z.string()),
        }),
      ),
    }),
  ),
});

/** What systems got on tasks, query by query, to hold later ones against. */
export type Baseline = z.infer<typeof baselineSchema>;
type StoredTask = Baseline['systems'][number]['tasks'][number];
type Unsealed = Omit<Baseline, 'digest' | 'schema'>;

/** Some text of a few bytes may stand for many queries. */
const mostQueries = 1_000_000;

/** Half a unit of the fourth decimal moves no mean by more than 0.00005. */
const decimals = 4;

/**
 * A baseline of systems by id. The order of systems and tasks does not matter. Times are left out: they belong to one
 * machine and one hour. Sides must hold queries, not means of tasks.
 */
export function baselineOf(sides: ReadonlyMap<string, Side>, accepted: Baseline['accepted'] = null): Baseline {
  for (const side of sides.values()) if (side.unit !== 'query') throw meansOfTasks(side);
  const tasks = new Map<string, SideTask>();
  for (const side of sides.values())
    for (const task of side.tasks) tasks.set(task.id, sameBuild(task, tasks.get(task.id)));
  const measures = [
    ...new Set([...sides.values()].flatMap((side) => side.tasks.flatMap((task) => [...task.values.keys()]))),
  ];
  return sealed({
    accepted,
    decimals,
    measures,
    tasks: sortedById(tasks.values()).map(({ id, digest, slices, queries }) => ({
      id,
      digest,
      slices: [...slices],
      queries: queries.length,
    })),
    systems: [...sides]
      .sort(([a], [b]) => byCodePoint(a, b))
      .map(([id, side]) => ({ id, tasks: sortedById(side.tasks).map(storedTask) })),
  });
}

function storedTask(task: SideTask): StoredTask {
  const { id, costs, values } = inIdOrder(task);
  return {
    id,
    costs: Object.fromEntries(
      [...costs]
        .filter(([name]) => !isTime(name) && !isDerived(name))
        .map(([name, cost]) => [name, shortenedCost(cost)]),
    ),
    values: Object.fromEntries([...values].map(([name, { expected }]) => [name, encodeValues(unitsOf(expected))])),
  };
}

const isTime = (name: string) => /(Ms|Seconds)(\.|$)/.test(name);
/** Ratios follow from values and FLOPs, which are kept; percentiles of FLOPs stand beside their mean. They double a baseline's size. */
const isDerived = (name: string) => /^(RPP|QPP|flops)\./.test(name);

function unitsOf(column: Float64Array): readonly number[] {
  return Array.from(column, (value) => Math.round(value * 10 ** decimals));
}

function sealed(facts: Unsealed): Baseline {
  return { schema, digest: digestOf({ schema, ...facts } as Json), ...facts };
}

/** One side of it. Throws `unknown-name` where it does not hold the system, listing those that it holds. */
export function baselineSide(baseline: Baseline, system: string, label: string): Side {
  const found = baseline.systems.find(({ id }) => id === system);
  if (found === undefined) {
    const there = baseline.systems.map(({ id }) => id);
    throw noSuchSystem(system, there, label);
  }
  const tasks = new Map(baseline.tasks.map((task) => [task.id, task]));
  const sideTasks = found.tasks.flatMap((stored) => {
    const task = tasks.get(stored.id);
    return task === undefined ? [] : [sideTask(stored, task, baseline.decimals)];
  });
  return { label, unit: 'query', decimals: baseline.decimals, tasks: sideTasks };
}

function sideTask(stored: StoredTask, task: Baseline['tasks'][number], places: number): SideTask {
  return {
    id: stored.id,
    slices: task.slices,
    digest: task.digest,
    queryIds: 'places',
    queries: Array.from({ length: task.queries }, (_, i) => ({ id: `#${i + 1}`, text: null, slices: [] })),
    values: new Map(
      Object.entries(stored.values).map(([name, text]) => [
        name,
        columnsOf(decodeValues(text, task.queries) ?? [], places),
      ]),
    ),
    costs: new Map(Object.entries(stored.costs)),
  };
}

function columnsOf(units: readonly number[], places: number) {
  const column = Float64Array.from(units, (unit) => unit / 10 ** places);
  return { expected: column, min: column, max: column };
}

export function noSuchSystem(system: string, there: readonly string[], label: string): TenbinError {
  return new TenbinError('unknown-name', {
    what: `${label} does not hold this system`,
    value: `\`${system}\``,
    fix: `It holds ${there.map((id) => `\`${id}\``).join(', ')}.`,
  });
}

/** Throws `damaged` with path and field for what is no baseline, or one whose bytes were changed. */
export function parseBaseline(value: unknown, path: string): Baseline {
  const parsed = baselineSchema.safeParse(value);
  if (!parsed.success) {
    throw damaged(
      path,
      `This is not a baseline of ${schema} (${z.prettifyError(parsed.error).split('\n').slice(0, 2).join(' ')})`,
    );
  }
  const { digest, schema: _, ...facts } = parsed.data;
  const queries = facts.tasks.reduce((sum, task) => sum + task.queries, 0);
  if (queries > mostQueries)
    throw damaged(path, `This baseline tells of ${queries} queries, and ${mostQueries} are the limit`);
  if (sealed(facts).digest !== digest)
    throw damaged(path, 'This baseline is not what was accepted: its digest differs from its content');
  for (const { id, tasks } of facts.systems) for (const task of tasks) checkTask(task, { system: id, facts, path });
  return parsed.data;
}

function checkTask(task: StoredTask, { system, facts, path }: { system: string; facts: Unsealed; path: string }): void {
  const queries = facts.tasks.find(({ id }) => id === task.id)?.queries;
  const isWhole = (text: string) => queries !== undefined && decodeValues(text, queries)?.length === queries;
  if (queries !== undefined && Object.values(task.values).every(isWhole)) return;
  throw damaged(path, `${system} on ${task.id} has not one value per query`);
}

function damaged(path: string, what: string): TenbinError {
  return new TenbinError('damaged', {
    what,
    value: path,
    fix: 'Restore the file; or move it away, and write a new one with `tenbin gate POLICY --accept --reason TEXT`.',
  });
}

function sameBuild(task: SideTask, other: SideTask | undefined): SideTask {
  if (other === undefined || other.digest === task.digest) return task;
  throw new TenbinError('refused', {
    what: 'Systems of one baseline must have run on the same build of a task',
    value: task.id,
    fix: 'Run all of its systems again, so that the baseline is of one build.',
  });
}

function meansOfTasks({ label }: Side): TenbinError {
  return new TenbinError('refused', {
    what: 'A baseline holds values of queries, and a board has means of tasks only',
    value: label,
    fix: 'Give the `out/` folder or the run file that it was made from.',
  });
}

function sortedById<T extends { readonly id: string }>(items: Iterable<T>): T[] {
  return [...items].sort((a, b) => byCodePoint(a.id, b.id));
}
