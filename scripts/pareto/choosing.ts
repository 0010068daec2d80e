import { type Command, InvalidArgumentError } from 'commander';
import { printable } from '../../core/errors.js';
import type { Prices } from '../../results/pareto/usd.js';
import { priceFrom } from '../../runners/backends/price.js';
import { poolSystems } from '../../runners/pool-systems.js';
import { repeated } from '../options.js';
import { note } from '../output.js';

/** What both commands take besides the board. */
export interface ChoosingOptions {
  readonly y?: string;
  readonly systems?: readonly string[];
  readonly withSafeguarded?: boolean;
  readonly pricePrompt?: number;
  readonly priceCompletion?: number;
}

export function withChoosing(command: Command): Command {
  return command
    .option('--y <measure>', "a measure of the board, its micro mean (default: the board's first)")
    .option('--systems <list>', 'systems, separated by a comma and a blank; repeatable (default: all)', repeated)
    .option('--with-safeguarded', 'also systems whose candidates hold positives that the safeguard put in (†)')
    .option('--price-prompt <usd>', 'of a million prompt tokens, for `usd` (default: TENBIN_PRICE_PROMPT)', price)
    .option(
      '--price-completion <usd>',
      'of a million completion tokens, for `usd` (default: TENBIN_PRICE_COMPLETION)',
      price,
    );
}

function price(text: string): number {
  if (/^\d{1,9}(\.\d{1,12})?$/.test(text)) return Number(text);
  throw new InvalidArgumentError('The price of a million tokens is wanted, such as 0.6.');
}

export function pricesOf({ pricePrompt, priceCompletion }: ChoosingOptions): Prices {
  return {
    prompt: pricePrompt ?? priceFrom(process.env, 'TENBIN_PRICE_PROMPT'),
    completion: priceCompletion ?? priceFrom(process.env, 'TENBIN_PRICE_COMPLETION'),
  };
}

/** A frozen list costs nothing to read, and what it cost to make is counted nowhere: such points look cheaper than they are. */
export function notePools(systems: readonly string[]): void {
  const pools = new Set<string>(poolSystems.map(({ id }) => id));
  const found = systems.filter((system) => pools.has(system.split(' > ')[0]));
  if (found.length > 0) note(`the making of a frozen pool is in no cost: ${found.map(printable).join(', ')}`);
}
