import { availableParallelism } from 'node:os';
import { defaultBuildOptions } from '../builders/options.js';
import { durationText } from '../core/numbers.js';
import { table } from '../results/reports/table.js';
import { defaultRunOptions } from '../runners/run.js';
import { defaultBootstrap, makeBoard } from './commands/board.js';
import { buildTasks } from './commands/build.js';
import { runSystems } from './commands/run.js';
import { defaultModelOptions } from './model-options.js';
import { note, printText } from './output.js';
import { closeWorkers } from './workers.js';

// `npm run demo`: builds the demo tasks, runs every built-in system over them, and prints and writes the leaderboard.
const startMs = performance.now();
const common = {
  ...defaultModelOptions,
  format: 'table',
  out: process.env.TENBIN_OUT ?? './out',
  jobs: availableParallelism(),
};
const { language: _, ...buildOptions } = defaultBuildOptions;
const built = await buildTasks(['demo'], { ...common, ...buildOptions });
const runs = await runSystems({ ...common, ...defaultRunOptions, tasks: ['demo'] });
const { board } = await makeBoard(['demo'], { ...common, ...defaultBootstrap });
printText(table.bind(undefined).render(board));
await closeWorkers();
const failures = [...built, ...runs].filter(({ status }) => status === 'failed').length;
note(
  `${board.tasks.length} tasks, ${board.systems.length} systems, ${failures} failures, ${durationText(performance.now() - startMs)}. Open ${common.out}/board/index.html.`,
);
process.exitCode = failures > 0 ? 1 : 0;
