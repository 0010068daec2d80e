import { Command, CommanderError } from 'commander';
import { printable, reasonOf, TenbinError } from '../core/errors.js';
import { closeAll } from './at-end.js';
import { commands } from './commands/index.js';
import { version } from './version.js';

/** Exit codes (formats.md §1): done and good; bad or not done; wrong use. */
const exitCodes = { good: 0, bad: 1, wrongUse: 2 } as const;

/** Runs one command line and returns its exit code; every error ends here as one message on stderr. */
export async function main(argv: readonly string[]): Promise<number> {
  let code: number = exitCodes.good;
  try {
    const program = await createProgram((result) => {
      code = result;
    }, argv[0]);
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    return report(error);
  } finally {
    await closeAll();
  }
}

/**
 * The command line as data, for the docs as well. `onExit` receives the exit code of the command that ran. With the name
 * of a command it has that one's file alone; what is no command's name gets them all, for help and suggestions.
 */
export async function createProgram(onExit: (code: number) => void, name?: string): Promise<Command> {
  const program = new Command('tenbin')
    .description('A balance scale for retrieval systems: nano-sets, runs, leaderboards.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .showSuggestionAfterError()
    .showHelpAfterError('See `tenbin --help`.')
    .exitOverride();
  const named = commands.filter(({ names }) => name !== undefined && names.includes(name));
  for (const { load } of named.length > 0 ? named : commands) (await load())(program, onExit);
  // The whole help would push the error off the screen.
  for (const command of program.commands) command.showHelpAfterError(`See \`tenbin ${command.name()} --help\`.`);
  program.addHelpText(
    'after',
    '\nExamples:\n  $ tenbin build embedded-en\n  $ tenbin run --systems "bm25, lsa@256" --tasks embedded-en\n  $ tenbin board embedded-en',
  );
  return program;
}

function report(error: unknown): number {
  if (error instanceof CommanderError) {
    const asked = error.code === 'commander.helpDisplayed' || error.code === 'commander.version';
    return asked || error.code === 'commander.help'
      ? error.exitCode === 0
        ? exitCodes.good
        : exitCodes.wrongUse
      : exitCodes.wrongUse;
  }
  process.stderr.write(`tenbin: ${error instanceof TenbinError ? error.message : printable(reasonOf(error))}\n`);
  if (process.env.TENBIN_DEBUG === '1' && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  const wrongUse = error instanceof TenbinError && (error.code === 'usage' || error.code === 'unknown-name');
  return wrongUse ? exitCodes.wrongUse : exitCodes.bad;
}
