import { availableParallelism } from 'node:os';
import { type Command, InvalidArgumentError, Option } from 'commander';

export interface CommonOptions {
  readonly format: string;
  readonly out: string;
  readonly jobs: number;
  readonly quiet?: boolean;
}

/** What every command takes (formats.md §1). `formats` are the forms of its result besides `table` and `json`. */
export function withCommon(command: Command, formats: readonly string[] = []): Command {
  return command
    .addOption(
      new Option('--format <form>', 'form of the result').choices(['table', 'json', ...formats]).default('table'),
    )
    .addOption(new Option('--out <folder>', 'root of everything written').env('TENBIN_OUT').default('./out'))
    .addOption(
      new Option('--jobs <n>', 'tasks worked on at once')
        .argParser(wholeNumberOption(1, 256))
        .default(availableParallelism()),
    )
    .addOption(new Option('--quiet', 'no progress and no notes on stderr'));
}

/** Two examples that work, at the end of a command's help. */
export function withExamples(command: Command, examples: readonly [string, string, ...string[]]): Command {
  return command.addHelpText('after', `\nExamples:\n${examples.map((line) => `  $ ${line}`).join('\n')}`);
}

/** A parser for commander that takes whole numbers in a range and says so otherwise. */
export function wholeNumberOption(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new InvalidArgumentError(`A whole number from ${min} to ${max} is wanted.`);
  };
}

/** Collects an option that may be repeated. */
export function repeated(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text];
}
