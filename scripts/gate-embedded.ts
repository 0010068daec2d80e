import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { defaultBuildOptions } from '../builders/options.js';
import { parsePolicy } from '../results/gate/policy.js';
import { defaultRunOptions } from '../runners/run.js';
import { main } from './cli.js';
import { buildTasks } from './commands/build.js';
import { runSystems } from './commands/run.js';
import { defaultModelOptions } from './model-options.js';

// `npm run gate`: builds and runs what the project's own policy looks at, as far as it is not current, and judges it.
// With `-- --tasks demo` and other options of `tenbin gate`.
const path = join(import.meta.dirname, '../../results/baselines/embedded.yaml');
const { tasks, system } = parsePolicy(await readFile(path, 'utf8'), path);
const given = process.argv.slice(2);
const chosen = new Command()
  .allowUnknownOption()
  .allowExcessArguments()
  .option('--tasks <selector...>')
  .parse(given, { from: 'user' })
  .opts<{ readonly tasks?: readonly string[] }>();
const selectors = chosen.tasks ?? tasks;
const systems = Array.isArray(system) ? (system as readonly string[]) : [];
const out = process.env.TENBIN_OUT ?? './out';
const common = { ...defaultModelOptions, format: 'table', out, jobs: availableParallelism() };
const { language: _, ...buildOptions } = defaultBuildOptions;
await buildTasks([...selectors], { ...common, ...buildOptions });
await runSystems({ ...common, ...defaultRunOptions, tasks: selectors, systems });
process.exitCode = await main(['gate', path, '--candidate', out, ...given]);
