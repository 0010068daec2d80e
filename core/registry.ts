import { TenbinError } from './errors.js';
import { unknownName } from './suggest.js';

/** One peer of a plug-in kind. `bind` checks the argument after `@` and throws with a fix if it is wrong. */
export interface Plugin<Bound> {
  readonly name: string;
  /** One line: it feeds --help, the listings and the generated docs. */
  readonly summary: string;
  readonly bind: (argument: string | undefined) => Bound;
}

export interface Registry<Bound, P extends Plugin<Bound> = Plugin<Bound>> {
  readonly kind: string;
  readonly plugins: readonly P[];
  readonly has: (name: string) => boolean;
  /** The plug-in of that exact name; an unknown name suggests the nearest. */
  readonly get: (name: string) => P;
  /** Binds `name` or `name@argument`. */
  readonly bind: (text: string) => Bound;
}

/** A registry of peers. `kind` is the singular noun for errors, `listing` the command that lists them all. */
export function registry<Bound, P extends Plugin<Bound> = Plugin<Bound>>(
  kind: string,
  listing: string,
  plugins: readonly P[],
): Registry<Bound, P> {
  const byName = new Map(plugins.map((plugin) => [plugin.name, plugin]));
  if (byName.size !== plugins.length) throw new Error(`Two plug-ins of kind ${kind} have one name.`);
  const get = (name: string): P => {
    const plugin = byName.get(name);
    if (plugin === undefined) throw unknownName(kind, name, [...byName.keys()], listing);
    return plugin;
  };
  const bind = (text: string): Bound => {
    const { name, argument } = splitArgument(text);
    return get(name).bind(argument);
  };
  return { kind, plugins, has: (name) => byName.has(name), get, bind };
}

/** `a@b@c` is the name `a` with the argument `b@c`; without an `@` there is no argument. */
export function splitArgument(text: string): { readonly name: string; readonly argument: string | undefined } {
  const at = text.indexOf('@');
  return at < 0 ? { name: text, argument: undefined } : { name: text.slice(0, at), argument: text.slice(at + 1) };
}

/** For plug-ins that take none. */
export function noArgument(name: string, argument: string | undefined): void {
  if (argument === undefined) return;
  throw new TenbinError('usage', {
    what: `${name} takes no argument`,
    value: `${name}@${argument}`,
    fix: `Write \`${name}\`.`,
  });
}

/** A whole number from an argument, inside [min, max]. */
export function wholeNumber(name: string, argument: string, min: number, max = 1_000_000): number {
  const number = /^\d+$/.test(argument) ? Number(argument) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new TenbinError('usage', {
    what: `${name} wants a whole number from ${min} to ${max}`,
    value: argument,
    fix: `Write for example \`${name}@${Math.max(min, 4)}\`.`,
  });
}
