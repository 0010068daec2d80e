import { type Command, InvalidArgumentError } from 'commander';
import { TenbinError } from '../../core/errors.js';
import { splitSystems } from '../../runners/grammar.js';
import type { ModelOptions } from '../model-options.js';
import type { CommonOptions } from '../options.js';

export interface LatencyOptions extends CommonOptions, ModelOptions {
  readonly systems?: readonly string[];
  readonly task?: string;
  readonly concurrency?: readonly number[];
  readonly warmup: number;
  readonly requests: number;
  readonly rate?: number;
  readonly slots?: number;
  readonly paired?: string;
  readonly timeoutMs?: number;
  readonly depth: number;
  readonly seed: number;
  readonly threads?: number;
  readonly svg?: string;
  readonly from?: string;
}

const mostUsers = 1000;

/** `1,8,32`. */
export function concurrencyFrom(text: string): readonly number[] {
  const numbers = text.split(',').map((part) => (/^\s*\d+\s*$/.test(part) ? Number(part) : Number.NaN));
  const good = numbers.every((number) => number >= 1 && number <= mostUsers);
  if (good && new Set(numbers).size === numbers.length) return numbers;
  throw new InvalidArgumentError(`Different whole numbers from 1 to ${mostUsers} are wanted, such as 1,8,32.`);
}

export function rateFrom(text: string): number {
  const rate = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (rate >= 0.001 && rate <= 1_000_000) return rate;
  throw new InvalidArgumentError('Requests in a second are wanted, from 0.001 to 1000000.');
}

/** What is measured: some systems, or two in turns. Options that contradict each other are wrong use. */
export function measuredSystems(options: LatencyOptions): {
  readonly texts: readonly string[];
  readonly inTurns: boolean;
} {
  const { systems, paired, rate, concurrency, slots } = options;
  if (paired === undefined) {
    if (rate !== undefined && concurrency !== undefined) throw rateOfUsers();
    const texts = systems?.flatMap(splitSystems) ?? [];
    if (texts.length > 0) return { texts, inTurns: false };
    throw usage(
      'No system is named',
      undefined,
      'Write for example `--systems "bm25, dense-tiny"`, or `--paired "A, B"`.',
    );
  }
  const texts = splitSystems(paired);
  if (texts.length !== 2) {
    throw usage(
      '--paired takes two systems',
      paired,
      'Separate them by a comma and a blank: `--paired "bm25, lsa@256"`.',
    );
  }
  if (systems !== undefined) throw usage('--paired names the systems already', undefined, 'Leave --systems out.');
  if (rate === undefined && concurrency === undefined && slots === undefined) return { texts, inTurns: true };
  throw usage(
    'Two systems take turns with one user',
    undefined,
    'Leave --rate, --concurrency and --slots out, or measure with --systems.',
  );
}

/** What still counts when a file is reported again: the rest says how to measure, and that is done. */
const ofReports: ReadonlySet<string> = new Set(['from', 'timeoutMs', 'svg', 'out', 'format', 'quiet']);

/** A file that is reported again was measured already: options of the measurement are wrong use, never ignored. */
export function checkFrom(command: Command): void {
  const typed = command.options.filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli');
  const names = typed.flatMap((option) => (ofReports.has(option.attributeName()) ? [] : [option.long ?? option.flags]));
  if (names.length === 0) return;
  throw usage('--from reports what was measured before', names.join(', '), `Leave ${names.join(', ')} out.`);
}

function rateOfUsers(): TenbinError {
  return usage(
    '--rate lets requests arrive whoever was answered, so that there are no users',
    undefined,
    'Leave --concurrency out; `--slots N` says how many requests are served at once.',
  );
}

export function requiredTask({ task }: LatencyOptions): string {
  if (task !== undefined) return task;
  throw usage(
    'No task is named',
    undefined,
    'Write for example `--task embedded-code/jsfn-rxjs`; `tenbin tasks` lists them.',
  );
}

function usage(what: string, value: string | undefined, fix: string): TenbinError {
  return new TenbinError('usage', { what, fix, ...(value === undefined ? {} : { value }) });
}
