import { resolve } from 'node:path';
import type { Command } from 'commander';
import { printable, TenbinError } from '../../core/errors.js';
import { annotations } from '../../results/gate/annotations.js';
import { exitCode, judgeSystems } from '../../results/gate/judge.js';
import { junit } from '../../results/gate/junit.js';
import { markdown } from '../../results/gate/markdown.js';
import { parsePolicy } from '../../results/gate/policy.js';
import type { GateResult } from '../../results/gate/types.js';
import { byVerdict, checkName, headline, numberText, plural, signedText } from '../../results/gate/words.js';
import { writeAtomic } from '../../tasks/files.js';
import { type Accepted, accept } from '../gate/accept.js';
import { locate, type Places } from '../gate/locate.js';
import { gatePairs, type Reading } from '../gate/sides.js';
import { type CommonOptions, withCommon, withExamples } from '../options.js';
import { note, printJson, printText, textTable } from '../output.js';
import { readOperand } from '../read-input.js';
import type { RegisterCommand } from './command.js';

interface GateCommandOptions extends CommonOptions {
  readonly baseline?: string;
  readonly candidate?: string;
  readonly tasks?: readonly string[];
  readonly accept?: boolean;
  readonly reason?: string;
  readonly markdown?: string;
  readonly junit?: string;
}

export const registerGate: RegisterCommand = (program, onExit) => {
  const command: Command = program
    .command('gate')
    .description(
      'Holds a candidate against a baseline by a policy. Exit 0: may go on, 1: it got worse, 3: missing or undecided.',
    )
    .argument('<policy>', 'a YAML file: what must not get worse, and by how much (docs/gate.md)')
    .option('--baseline <path>', 'a baseline file, a board, an out/ folder or a run file, instead of the policy’s')
    .option('--candidate <path>', 'an out/ folder, a board, a baseline or a run file, instead of the policy’s')
    .option('--tasks <selector...>', 'only these tasks, instead of the policy’s')
    .option('--accept', 'write the candidate as a new baseline beside the old one; wants --reason')
    .option('--reason <text>', 'why the new values are accepted; it stands in the new baseline')
    .option('--markdown <file>', 'write a pull request comment')
    .option('--junit <file>', 'write JUnit XML');
  withCommon(command, ['markdown']);
  withExamples(command, [
    'tenbin gate gate.yaml --candidate out --markdown comment.md',
    'tenbin gate gate.yaml --accept --reason "new tokenizer, reviewed in #12"',
  ]);
  command.action(async (policy: string, options: GateCommandOptions) => {
    onExit(await gateCommand(policy, options));
  });
};

async function gateCommand(path: string, options: GateCommandOptions): Promise<number> {
  const isReasoned = options.reason !== undefined && options.reason.trim() !== '';
  if ((options.accept === true) !== isReasoned) throw reasonGoesWithAccept();
  const written = parsePolicy(new TextDecoder().decode(await readOperand(path)), path);
  const policy = { ...written, tasks: options.tasks ?? written.tasks };
  const places = locate(policy, path, options);
  refuseOverwriting(places, options);
  const reading = { policy, places, out: options.out, ...(options.quiet !== undefined && { quiet: options.quiet }) };
  if (options.reason !== undefined) return acceptCandidate(reading, options.reason, options);
  const pairs = await gatePairs(reading);
  const result = judgeSystems(
    policy,
    pairs.map(({ system, paired }) => ({ system: system.name, paired })),
  );
  await report(result, reading, options);
  return exitCode(result, policy);
}

/** Reports must not take the place of what is judged, nor of each other. */
function refuseOverwriting(places: Places, { markdown: comment, junit: suite }: GateCommandOptions): void {
  const read = Object.values(places).filter((path): path is string => path !== null);
  const taken = new Set(read.map((path) => resolve(path)));
  for (const path of [comment, suite]) {
    if (path === undefined) continue;
    if (taken.has(resolve(path))) {
      throw new TenbinError('usage', {
        what: 'A report would overwrite another file of this gate',
        value: path,
        fix: 'Give --markdown and --junit files of their own.',
      });
    }
    taken.add(resolve(path));
  }
}

async function acceptCandidate(reading: Reading, reason: string, { format, quiet }: GateCommandOptions) {
  const accepted: Accepted = await accept(reading, reason);
  if (format === 'json') printJson({ accepted });
  else printText(`wrote ${accepted.path}, digest ${accepted.digest}`);
  if (!quiet && accepted.path !== reading.places.baseline) {
    note(`The policy still names ${reading.places.baseline}: let its key \`baseline\` name the new file.`);
  }
  return 0;
}

async function report(result: GateResult, { places }: Reading, options: GateCommandOptions): Promise<void> {
  const context = { policy: places.policy, baseline: places.baseline, candidate: places.candidate };
  if (options.markdown !== undefined) await writeAtomic(options.markdown, markdown(result, context));
  if (options.junit !== undefined) await writeAtomic(options.junit, junit(result, context));
  // GitHub reads workflow commands from stderr too, and stdout is the result's.
  if (process.env.GITHUB_ACTIONS !== undefined) process.stderr.write(annotations(result));
  if (options.format === 'json') printJson(result);
  else printText(options.format === 'markdown' ? markdown(result, context) : textOf(result));
  if (!options.quiet) for (const line of result.warnings) note(line);
}

function textOf(result: GateResult): string {
  const rows = byVerdict(result.checks).map((check) => {
    const { verdict, base, candidate, delta, low, high, direction, budget, n, nNeeded } = check;
    return [
      printable(checkName(check)),
      verdict,
      numberText(base),
      numberText(candidate),
      signedText(delta),
      low === null ? '–' : `[${signedText(low)}, ${signedText(high)}]`,
      budget === null ? '–' : `${direction} of ${numberText(budget)}`,
      n === null ? '–' : String(n),
      nNeeded === null ? '–' : String(nNeeded),
    ];
  });
  const head = ['check', 'verdict', 'base', 'candidate', 'delta', 'interval', 'allowed', plural(result.unit), 'needed'];
  const reasons = result.checks.flatMap((check) =>
    check.reason === null ? [] : [printable(`${checkName(check)}: ${check.reason}`)],
  );
  const lines = [`${result.verdict}: ${headline(result)}`, textTable(head, rows), ...reasons, ...worstLines(result)];
  return lines.join('\n');
}

/** Of the check that came out worst. */
function worstLines({ checks }: GateResult): readonly string[] {
  const [first] = byVerdict(checks).filter(({ worst }) => worst.length > 0);
  if (first === undefined) return [];
  const lines = first.worst.map(({ query, delta, text }) =>
    printable(`  ${signedText(delta)}  ${query}  ${text ?? ''}`.trimEnd()),
  );
  return ['', `Worst queries by ${checkName(first)}:`, ...lines];
}

function reasonGoesWithAccept(): TenbinError {
  return new TenbinError('usage', {
    what: '--accept and --reason go together',
    fix: 'Write `--accept --reason "why these values are right"`.',
  });
}
