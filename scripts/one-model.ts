import { TenbinError } from '../core/errors.js';
import { type Runtime, runtimeFor } from '../runners/backends/runtime.js';
import { parseSystem } from '../runners/grammar.js';
import type { PretrainedModel } from '../runners/system.js';
import { lookUp } from './look-up.js';
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
  readonly runtime: Runtime;
}

/** One model, looked up and ready to be opened, used and closed again; `count` texts or pairs are to be done. */
export async function withModel<Result>(
  text: string,
  options: OneModelOptions,
  { title, count }: { readonly title: string; readonly count: number },
  use: (one: OneModel) => Promise<Result>,
): Promise<Result> {
  // One command, one session: it gets the whole processor.
  const settings = runtimeSettings({ ...options, jobs: 1 });
  const { catalog, failures } = await lookUp([withDtype(text, options.dtype)], settings, options.quiet);
  for (const [name, reason] of failures) throw unusable(name, reason);
  const model = pretrained(withDtype(text, options.dtype), parseSystem(withDtype(text, options.dtype), catalog));
  const progress = startProgress(title, count, options.quiet);
  const runtime = runtimeFor(settings, process.env, {
    onNote: options.quiet ? () => undefined : note,
    ...steps(progress),
  });
  try {
    return await use({ model, runtime });
  } finally {
    progress.stop();
    await runtime.close();
  }
}

/** `--dtype int8` is another spelling of `MODEL@dtype=int8`. */
function withDtype(text: string, dtype: string | undefined): string {
  if (dtype === undefined) return text;
  return `${text}${text.includes('@') ? ',' : '@'}dtype=${dtype}`;
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
