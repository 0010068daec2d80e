import { TenbinError } from '../core/errors.js';
import { type Runtime, runtimeFor } from '../runners/backends/runtime.js';
import { parseSystem } from '../runners/grammar.js';
import type { ModelCard } from '../runners/models/card.js';
import type { PretrainedModel } from '../runners/system.js';
import { lookUp } from './look-up.js';
import { withDtype } from './model-dtype.js';
import { type ModelOptions, runtimeSettings } from './model-options.js';
import { note } from './output.js';
import { type Progress, startProgress } from './progress.js';

export interface OneModelOptions extends ModelOptions {
  readonly out: string;
  readonly jobs: number;
  readonly quiet?: boolean;
  readonly dtype?: string;
}

export interface OneModel {
  readonly model: PretrainedModel;
  /** What is known of it beforehand; null for services. */
  readonly card: ModelCard | null;
  readonly runtime: Runtime;
}

/** What is to be done, and how much of it: texts or pairs. */
export interface Task {
  readonly title: string;
  readonly count: number;
  /** Throws where the model cannot do it, before it is opened or asked. */
  readonly check: (one: Pick<OneModel, 'model' | 'card'>) => void;
}

/** One model, looked up and ready to be opened, used and closed again. */
export async function withModel<Result>(
  given: string,
  options: OneModelOptions,
  { title, count, check }: Task,
  use: (one: OneModel) => Promise<Result>,
): Promise<Result> {
  // One command, one session: it gets the whole processor.
  const settings = runtimeSettings({ ...options, jobs: 1 });
  const text = await withDtype(given, options.dtype, settings);
  const { catalog, failures, lookup } = await lookUp([text], settings, options.quiet);
  for (const [name, reason] of failures) throw unusable(name, reason);
  const model = pretrained(text, parseSystem(text, catalog));
  const [card = null] = lookup.resolved.map((one) => (one.kind === 'files' ? one.card : null));
  check({ model, card });
  const progress = startProgress(title, count, options.quiet);
  const runtime = runtimeFor(settings, process.env, {
    onNote: options.quiet ? () => undefined : note,
    ...steps(progress),
  });
  try {
    return await use({ model, card, runtime });
  } finally {
    progress.stop();
    await runtime.close();
  }
}

function steps(progress: Progress) {
  return {
    onStep: (done: number) => {
      for (let i = 0; i < done; i++) progress.tick('');
    },
  };
}

function pretrained(text: string, system: ReturnType<typeof parseSystem>): PretrainedModel {
  if (system.kind === 'model' && system.variants.length === 0 && system.model.kind === 'pretrained')
    return system.model;
  throw new TenbinError('usage', {
    what: 'This command takes one model with weights of its own',
    value: text,
    fix: '`tenbin models` lists them; systems and variants are for `tenbin run`.',
  });
}

function unusable(name: string, reason: string): TenbinError {
  return new TenbinError('missing', { what: 'This model cannot be used', value: name, fix: reason });
}
