import { TenbinError } from '../core/errors.js';
import { chooseDtype } from '../runners/backends/model-folder/index.js';
import { cardHere } from '../runners/backends/resolve/index.js';
import { type RuntimeSettings, runtimeFor } from '../runners/backends/runtime.js';
import { dtypes } from '../runners/models/card.js';
import { services } from '../runners/models/reference.js';

/** `--dtype int8` is another spelling of `MODEL@dtype=int8`; what is wrong with it is told as it was written. */
export async function withDtype(text: string, dtype: string | undefined, settings: RuntimeSettings): Promise<string> {
  if (dtype === undefined) return text;
  const wrong = (what: string, fix: string) =>
    new TenbinError('usage', { what, value: `${text} --dtype ${dtype}`, fix });
  if (/[@,]dtype=/.test(text)) throw wrong('The number format is given twice', 'Leave --dtype out.');
  if (services.some((name) => text.startsWith(`${name}:`))) {
    throw wrong('A service chooses the number format of its model itself', 'Leave --dtype out.');
  }
  if (!dtypes.some((name) => name === dtype)) await refuseDtype(text, dtype, settings);
  return `${text}${text.includes('@') ? ',' : '@'}dtype=${dtype}`;
}

/** The error for a name that is no number format says which ones the model has, where that is known on this machine. */
async function refuseDtype(text: string, dtype: string, settings: RuntimeSettings): Promise<never> {
  const { access } = runtimeFor(settings, process.env, { onNote: () => undefined });
  const card = await cardHere(text, access);
  if (card !== null) chooseDtype(card, dtype);
  throw new TenbinError('usage', {
    what: 'There is no such number format',
    value: `--dtype ${dtype}`,
    fix: `There are ${dtypes.join(', ')}.`,
  });
}
