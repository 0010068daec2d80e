import { TenbinError } from '../../core/errors.js';

/** `P.5,10`: ranks, ascending and each once. What follows a point is dropped, as C's atol does: 23.4 is 23. */
export function ranksIn(text: string, name: string): readonly number[] {
  const ranks = listIn(text, name, /^\d{1,9}(\.\d*)?$/).map((part) => Math.floor(part));
  if (ranks.some((rank) => rank < 1)) throw wrongParameters(`${name}.${text}`, 'Ranks begin at 1.');
  return ascending(ranks, `${name}.${text}`);
}

/** `iprec_at_recall.0,.5`: recalls, ascending and each once. */
export function recallsIn(text: string, name: string): readonly number[] {
  return ascending(decimalsIn(text, name), `${name}.${text}`);
}

/** Numbers from 0 in the order given. */
export function decimalsIn(text: string, name: string): readonly number[] {
  return listIn(text, name, /^(\d{1,9}(\.\d{0,15})?|\.\d{1,15})$/);
}

/** `ndcg.1=3,2=9`: grade → gain. */
export function gainsIn(text: string, name: string): ReadonlyMap<number, number> {
  const gains = new Map<number, number>();
  for (const part of text.split(',')) {
    const match = /^(\d{1,9})=(\d{1,9}(?:\.\d{0,15})?|\.\d{1,15})$/.exec(part);
    if (match === null || gains.has(Number(match[1]))) {
      throw wrongParameters(`${name}.${text}`, `Write grades with their gains, each once: \`${name}.1=3,2=9\`.`);
    }
    gains.set(Number(match[1]), Number(match[2]));
  }
  return gains;
}

export function noParameters(text: string, name: string): TenbinError {
  return wrongParameters(`${name}.${text}`, `This one takes none: write \`${name}\`.`);
}

function listIn(text: string, name: string, form: RegExp): number[] {
  return text.split(',').map((part) => {
    if (form.test(part)) return Number(part);
    throw wrongParameters(`${name}.${text}`, 'Write numbers from 0 separated by commas.');
  });
}

function ascending(values: readonly number[], shown: string): readonly number[] {
  if (new Set(values).size < values.length) throw wrongParameters(shown, 'One of them stands there twice.');
  return values.toSorted((a, b) => a - b);
}

function wrongParameters(value: string, fix: string): TenbinError {
  return new TenbinError('usage', {
    what: 'These are no parameters of this measure of trec_eval',
    value: `\`${value}\``,
    fix,
  });
}
