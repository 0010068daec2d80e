import { TenbinError } from '../../core/errors.js';
import { flatCosts } from '../board-side.js';
import type { ParetoSystem } from './types.js';

/** The user's own, of a million tokens; null where none is said. There are no prices of ours. */
export interface Prices {
  readonly prompt: number | null;
  readonly completion: number | null;
}

export const noPrices: Prices = { prompt: null, completion: null };

/**
 * USD for 1,000 queries by the tokens that services counted. 0 for a system that asks no service; null where a service was
 * asked and did not say how many tokens it read, or where nothing is known of the cost, as of a frozen pool. Throws `usage` without a price.
 */
export function usdPerThousand({ id, imported, cost }: ParetoSystem, prices: Prices): number | null {
  if (imported !== undefined || flatCosts(cost).length === 0) return null;
  const ops: object = 'opsPerQuery' in cost && typeof cost.opsPerQuery === 'object' ? (cost.opsPerQuery ?? {}) : {};
  const count = (unit: string): number | null => {
    const found = new Map<string, unknown>(Object.entries(ops)).get(unit);
    return typeof found === 'number' ? found : null;
  };
  const [calls, prompt, completion] = [count('calls'), count('promptTokens'), count('completionTokens')];
  if (prompt === null && completion === null) return (calls ?? 0) > 0 ? null : 0;
  const parts = [
    priced(prompt ?? 0, { price: prices.prompt, option: '--price-prompt', system: id }),
    priced(completion ?? 0, { price: prices.completion, option: '--price-completion', system: id }),
  ];
  return parts.reduce((sum, part) => sum + part, 0) / 1000;
}

interface Price {
  readonly price: number | null;
  readonly option: string;
  readonly system: string;
}

/** Tokens of a query at a price per million. */
function priced(tokens: number, { price, option, system }: Price): number {
  if (tokens === 0) return 0;
  if (price !== null) return tokens * price;
  throw new TenbinError('usage', {
    what: `A service is asked, and \`${option}\` does not say what a million of its tokens costs`,
    value: system,
    fix: 'Give --price-prompt and --price-completion, or TENBIN_PRICE_PROMPT and TENBIN_PRICE_COMPLETION.',
  });
}
