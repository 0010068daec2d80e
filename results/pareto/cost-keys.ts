import { TenbinError } from '../../core/errors.js';
import { byCodePoint } from '../../core/order.js';
import { nearest } from '../../core/suggest.js';
import { flatCosts } from '../board-side.js';
import type { CostKey, CostUnit, ParetoSystem } from './types.js';
import { type Prices, usdPerThousand } from './usd.js';

const aliases: ReadonlyMap<string, string> = new Map([
  ['p50', 'latencyMs.p50'],
  ['p95', 'latencyMs.p95'],
]);

const titles: ReadonlyMap<string, string> = new Map([
  ['bytesPerDoc', 'bytes per document'],
  ['bytesPerQuery', 'bytes per query'],
  ['indexBytes', 'bytes of the index'],
  ['indexOverheadBytes', 'bytes of the index that belong to no document'],
  ['modelBytes', 'bytes of the weights'],
  ['flopsPerQuery', 'FLOPs per query'],
  ['flops.p50', 'FLOPs of a query, median'],
  ['flops.p95', 'FLOPs of a query, 95th percentile'],
  ['flops.max', 'FLOPs of the dearest query'],
  ['flops.padded', 'FLOPs per query, padding included'],
  ['latencyMs.p50', 'milliseconds of a query in a batch run, median'],
  ['latencyMs.p95', 'milliseconds of a query in a batch run, 95th percentile'],
]);

/** Ratios of quality to cost are no cost: the larger the better. */
const ratios = /^(RPP|QPP)(\.|$)/;

/**
 * A cost by its name on the board or by an alias (`p50`, `p95`), or `usd`. Throws `unknown-name` for one that no system has,
 * with those there are.
 */
export function costKey(text: string, systems: readonly ParetoSystem[], prices: Prices): CostKey {
  if (text === 'usd') {
    const of = (system: ParetoSystem) => usdPerThousand(system, prices);
    return { key: 'usd', unit: 'usd', title: 'USD per 1,000 queries', of };
  }
  const key = aliases.get(text) ?? text;
  const known = keysOf(systems);
  if (known.includes(key)) return { key, unit: unitOf(key), title: titles.get(key) ?? titleOf(key), of: reader(key) };
  const short = [...aliases].flatMap(([alias, of]) => (known.includes(of) ? [alias] : []));
  const names = [...known, ...short, 'usd'];
  const near = nearest(text, names);
  throw new TenbinError('unknown-name', {
    what: 'No system of the board has this cost',
    value: `\`${text}\``,
    fix: `${near === undefined ? '' : `Did you mean \`${near}\`? `}There are ${names.map((name) => `\`${name}\``).join(', ')}.`,
  });
}

function keysOf(systems: readonly ParetoSystem[]): readonly string[] {
  const keys = systems.flatMap(({ cost }) => flatCosts(cost).map(([key]) => key));
  return [...new Set(keys)].filter((key) => !ratios.test(key)).sort(byCodePoint);
}

/** Looked up among what is there: no name is special. */
function reader(key: string): CostKey['of'] {
  return ({ cost }) => new Map(flatCosts(cost)).get(key) ?? null;
}

function unitOf(key: string): CostUnit {
  if (/^flops/i.test(key)) return 'flops';
  if (/^latencyMs\./.test(key)) return 'ms';
  return /bytes/i.test(key) ? 'bytes' : 'count';
}

/** `opsPerQuery.postings` → `postings per query`, `flopsByStage.search` → `FLOPs per query, search`. */
function titleOf(key: string): string {
  const [first, ...rest] = key.split('.');
  const last = rest.join('.');
  if (first === 'opsPerQuery') return `${last.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)} per query`;
  return first === 'flopsByStage' ? `FLOPs per query, ${last}` : key;
}
