import { printable, TenbinError } from '../../../core/errors.js';
import type { ModelAccess } from '../../system.js';
import { type PassedOver, passedOver } from './model-folders.js';

/** The error of a name that is not known, with the reason where a folder below TENBIN_MODELS was meant. */
export function withFolderHint(error: unknown, text: string, environment: ModelAccess['environment']): unknown {
  if (!(error instanceof TenbinError) || (error.code !== 'unknown-name' && error.code !== 'usage')) return error;
  const meant = passedOver(environment).find((folder) => isMeant(folder, text, error));
  if (meant === undefined) return error;
  const { fix } = error.parts;
  return new TenbinError(error.code, {
    ...error.parts,
    fix: `The folder ${printable(meant.path)} is passed over (it needs ${meant.needs}). ${fix}`,
  });
}

/** A name that the grammar cannot hold comes back in pieces, so it is looked for in the whole text. */
function isMeant({ name, why }: PassedOver, text: string, { code, parts }: TenbinError): boolean {
  if (why === 'name') return text.includes(name);
  return code === 'unknown-name' && (why === 'root' || parts.value === `\`${name}\``);
}

/** A built-in model keeps its name: whoever put a folder of that name there is told once. */
export function noteShadowed(systems: readonly string[], { environment, onNote }: ModelAccess): void {
  const words = new Set(systems.flatMap((text) => text.split(/[\s>+@(),]+/)));
  for (const { name, path, why } of passedOver(environment)) {
    if (why !== 'built-in' || !words.has(name)) continue;
    onNote(`${name} is the built-in model, not the folder ${printable(path)}: rename the folder to use it`);
  }
}
