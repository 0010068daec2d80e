import { escape as escapeHtml } from 'html-escaper';
import { noArgument, type Plugin } from '../../core/registry.js';
import type { Board } from '../board-types.js';
import { drawnText, levelNote, whatSeparates } from './drawn-text.js';
import { controls } from './html-controls.js';
import { costTable } from './html-costs.js';
import { island } from './html-data.js';
import { heatTable } from './html-heat.js';
import { boardMath } from './html-math.js';
import { scatters } from './html-scatter.js';
import { pageScript } from './html-script.js';
import { style } from './html-style.js';
import { leaderboard } from './html-table.js';
import { shownName } from './names.js';
import { emptySentence, type Report } from './report.js';
import { markNotes, suitesOf } from './standing.js';

export const html: Plugin<Report> = {
  name: 'html',
  summary:
    'One self-contained page: sortable, filterable, with intervals, plots of quality against cost, all costs and a heat table.',
  bind: (argument) => {
    noArgument('html', argument);
    return { fileName: 'index.html', render };
  },
};

/** Nothing is fetched and no form leaves the page; the two `unsafe-inline` are this file's own style and script. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

function render(board: Board): string {
  const primary = escapeHtml(shownName(board.primary));
  const body =
    board.systems.length === 0
      ? `<p class="lede">${emptySentence}</p>`
      : [
          explanation(board),
          controls(board),
          leaderboard(board),
          scatters(board),
          costTable(board),
          heatTable(board),
          `<script type="application/json" id="data">${island(board)}</script>`,
          `<script>\n'use strict';\n${boardMath}${pageScript}</script>`,
        ].join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>tenbin leaderboard: ${primary}</title>
<style>
${style}</style>
</head>
<body>
<header><p class="brand">tenbin <span lang="ja">天秤</span></p><h1>Leaderboard</h1></header>
<main>
${body}
</main>
</body>
</html>
`;
}

function explanation(board: Board): string {
  const { systems, tasks, interval } = board;
  const primary = escapeHtml(shownName(board.primary));
  const notes = markNotes(board)
    .map((note) => ` ${escapeHtml(note)}`)
    .join('');
  return `<p class="lede">${systems.length} systems on ${tasks.length} tasks in ${suitesOf(board).length} suites, ranked by ${primary}.</p>
<p class="how"><b>Micro</b> is the mean over tasks, <b>macro</b> the mean over suites of their task means. Documents with
equal scores are tied: a number is its expected value over all their orders, and the range is given where it shows. Bars are 95&nbsp;%
intervals (percentile bootstrap, ${drawnText(board)}; ${interval.resamples} resamples, seed ${interval.seed}, the same for all systems),
on one scale per column.${levelNote(board)} Systems of one <b>group</b> cannot be told from its best one by these ${whatSeparates(board)}; <b>=</b> marks a shared rank. Costs are means over all tasks, whatever is filtered.${notes}</p>`;
}
