import { TenbinError } from '../../core/errors.js';
import { costKey } from './cost-keys.js';
import type { CostKey, CostUnit, ParetoSystem } from './types.js';
import type { Prices } from './usd.js';

export interface Condition {
  readonly cost: CostKey;
  readonly relation: '<=' | '<';
  /** In the unit of the cost. */
  readonly limit: number;
}

const decimal: readonly (readonly [string, number])[] = [
  ['', 1],
  ['k', 1e3],
  ['M', 1e6],
  ['G', 1e9],
  ['T', 1e12],
  ['P', 1e15],
];
const binary: readonly (readonly [string, number])[] = ['Ki', 'Mi', 'Gi', 'Ti'].map((name, i) => [
  name,
  1024 ** (i + 1),
]);

/** What may stand after a number, by the unit of the cost. */
const units: Readonly<Record<CostUnit, ReadonlyMap<string, number>>> = {
  bytes: new Map(
    [...decimal, ...binary].flatMap(([name, factor]) => [[name, factor] as const, [`${name}B`, factor] as const]),
  ),
  flops: new Map(decimal),
  ms: new Map([
    ['', 1],
    ['ms', 1],
    ['us', 1e-3],
    ['s', 1000],
  ]),
  usd: new Map([
    ['', 1],
    ['USD', 1],
  ]),
  count: new Map(decimal),
};

/**
 * `bytesPerDoc<=128, flopsPerQuery<=5G`: all of them hold. Prefixes are decimal (k, M, G, T, P), of bytes binary too (Ki, Mi,
 * Gi, Ti); times are in ms unless an `s` or `us` says otherwise. Throws `usage` with the part that is wrong, `unknown-name`
 * for a cost that no system has.
 */
export function parseBudget(text: string, systems: readonly ParetoSystem[], prices: Prices): readonly Condition[] {
  return text.split(',').map((part) => {
    const found = /^\s*([^<>=\s]+)\s*(<=|<)\s*([^<>=]*?)\s*$/.exec(part);
    if (found === null) throw wrong('A condition of a budget is a cost, <= or <, and a number', part.trim());
    const [, name, relation, amount] = found;
    const cost = costKey(name, systems, prices);
    return { cost, relation: relation === '<' ? '<' : '<=', limit: limitOf(amount, part.trim(), cost.unit) };
  });
}

function limitOf(amount: string, part: string, unit: CostUnit): number {
  const [, digits, suffix] = /^(\d+(?:\.\d+)?(?:e[+-]?\d+)?)\s*(\S*)$/i.exec(amount) ?? [];
  if (digits === undefined) throw wrong('A limit of a budget is a number from 0', part);
  const factor = units[unit].get(suffix);
  const known = [...units[unit].keys()].filter((name) => name !== '').join(', ');
  if (factor === undefined)
    throw wrong(`A limit in ${unit} does not end in \`${suffix}\` but in one of ${known} or nothing`, part);
  const limit = Number(digits) * factor;
  if (Number.isFinite(limit)) return limit;
  throw wrong('A limit of a budget is finite', part);
}

function wrong(what: string, part: string): TenbinError {
  return new TenbinError('usage', {
    what,
    value: `\`${part}\``,
    fix: 'Write for example `--budget "bytesPerDoc<=128, flopsPerQuery<=5G, p95<20ms"`.',
  });
}

/** Null where the system's cost is not known. */
export function fits(system: ParetoSystem, { cost, relation, limit }: Condition): boolean | null {
  const value = cost.of(system);
  if (value === null) return null;
  return relation === '<' ? value < limit : value <= limit;
}

/** How many times the limit a cost of at least 0 is; at most 1 where it fits, infinity over a limit of 0. */
export function excess(value: number, { relation, limit }: Condition): number {
  if (value === limit) return relation === '<=' ? 1 : 1 + Number.EPSILON;
  return value / limit;
}
