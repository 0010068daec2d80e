import { bytesText, fixed } from '../../core/numbers.js';
import { noArgument, type Plugin } from '../../core/registry.js';
import { type Board, type BoardSystem, own } from '../board-types.js';
import { drawnText, levelNote, whatSeparates } from './drawn-text.js';
import { markdownText, row } from './markdown-text.js';
import { shownName } from './names.js';
import { emptySentence, type Report } from './report.js';
import {
  completeOf,
  countText,
  estimateIn,
  incompleteOf,
  intervalText,
  markNotes,
  rankText,
  suitesOf,
  systemName,
  valueText,
} from './standing.js';

export const markdown: Plugin<Report> = {
  name: 'markdown',
  summary: 'Leaderboard, incomplete systems and a table per task in GitHub-flavoured Markdown.',
  bind: (argument) => {
    noArgument('markdown', argument);
    return { fileName: 'board.md', render };
  },
};

function render(board: Board): string {
  const title = `# Leaderboard: ${markdownText(board.primary)}`;
  if (board.systems.length === 0) return `${title}\n\n${emptySentence}\n`;
  const sections = [
    title,
    explanation(board),
    leaderboard(board),
    ...markNotes(board).map(markdownText),
    ...incomplete(board),
    ...importedFiles(board),
    perTask(board),
  ];
  return `${sections.join('\n\n')}\n`;
}

function explanation(board: Board): string {
  const { primary, tasks, interval } = board;
  const suites = new Set(tasks.map(({ suite }) => suite)).size;
  return (
    `The numbers are ${markdownText(primary)} on ${tasks.length} tasks in ${suites} suites: *micro* is the mean over tasks, ` +
    '*macro* the mean over suites of their task means. Documents with equal scores are tied, and a number is its expected ' +
    'value over all orders of tied documents. Brackets hold 95 % intervals ' +
    `(percentile bootstrap, ${drawnText(board)}; ${interval.resamples} resamples, seed ${interval.seed}, the same for all ` +
    `systems).${levelNote(board)} Systems of one group cannot be told from its best one by these ${whatSeparates(board)}. ` +
    '`=` marks a shared rank.'
  );
}

function leaderboard(board: Board): string {
  const suites = suitesOf(board);
  const head = ['#', 'group', 'system', 'family', 'micro', 'macro', ...suites.map(markdownText)];
  const costs = ['bytes/doc', 'FLOPs/query', 'postings/query', 'batch p50 ms', 'batch p95 ms'];
  const right = new Set(['#', 'group', ...costs]);
  return [
    row([...head, ...costs]),
    row([...head, ...costs].map((name) => (right.has(name) ? '--:' : ':--'))),
    ...completeOf(board).map((system) => row(leaderboardRow(board, system, suites))),
  ].join('\n');
}

function leaderboardRow(board: Board, system: BoardSystem, suites: readonly string[]): string[] {
  const { micro, macro, cost, family, group } = system;
  return [
    ...[rankText(board, system, 'micro'), group === null ? '–' : String(group), systemText(system), family],
    ...[intervalText(own(micro, board.primary)), intervalText(own(macro, board.primary))],
    ...suites.map((suite) => valueText(estimateIn(system.suites, suite, board.primary))),
    ...[cost.bytesPerDoc === null ? '–' : bytesText(cost.bytesPerDoc)],
    ...[countText(cost.flopsPerQuery), countText(cost.opsPerQuery.postings ?? null)],
    ...[fixed(cost.latencyMs.p50, 2), fixed(cost.latencyMs.p95, 2)],
  ];
}

/** What incomplete systems have is shown, and over how many tasks: their means are not comparable. */
function incomplete(board: Board): string[] {
  const systems = incompleteOf(board);
  if (systems.length === 0) return [];
  const lines = systems.map((system) => {
    const micro = own(system.micro, board.primary);
    const lacks = system.missing.map((id) => markdownText(id)).join(', ');
    return row([
      systemText(system),
      system.family,
      intervalText(micro),
      `${micro?.n ?? 0} of ${board.tasks.length}`,
      lacks,
    ]);
  });
  const head = [
    row(['system', 'family', 'micro over what it has', 'tasks', 'missing']),
    row([':--', ':--', ':--', '--:', ':--']),
  ];
  return ['## Not ranked: a task is missing', [...head, ...lines].join('\n')];
}

const filesShown = 3;

/** Where imported numbers came from. */
function importedFiles({ systems }: Board): string[] {
  const rows = systems.flatMap((system) => {
    if (system.imported === undefined) return [];
    const { as, format, files } = system.imported;
    const named = files.slice(0, filesShown).map((file) => markdownText(shownName(file)));
    const more = files.length > filesShown ? [`${files.length - filesShown} more`] : [];
    return [row([systemText(system), as, markdownText(shownName(format)), [...named, ...more].join(', ')])];
  });
  if (rows.length === 0) return [];
  const head = [row(['system', 'imported', 'format', 'files']), row([':--', ':--', ':--', ':--'])];
  return ['## Imported', [...head, ...rows].join('\n')];
}

function perTask(board: Board): string {
  const head = ['task', 'language', 'queries', 'docs', ...board.systems.map(systemText)];
  const lines = board.tasks.map(({ id, language, documentLanguage, queries, docs }) => {
    const languages = documentLanguage === undefined ? language : `${language} → ${documentLanguage}`;
    const values = board.systems.map((system) => valueText(estimateIn(system.tasks, id, board.primary)));
    return row([markdownText(id), markdownText(languages), String(queries), String(docs), ...values]);
  });
  const rule = row(head.map((_, i) => (i < 2 ? ':--' : '--:')));
  return [`## ${markdownText(board.primary)} per task\n`, row(head), rule, ...lines].join('\n');
}

function systemText(system: BoardSystem): string {
  return markdownText(systemName(system));
}
