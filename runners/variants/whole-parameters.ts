import { readParameters } from '../models/parameters.js';
import { type WholeRange, wholeIn } from '../models/whole-number.js';

export interface WholeParameter extends WholeRange {
  readonly example: number;
}

/** Reads `query=16,doc=128` for a variant: whole numbers by name, undefined where one is left out. */
export function wholeParameters<Name extends string>(
  variant: string,
  argument: string | undefined,
  parameters: Readonly<Record<Name, WholeParameter>>,
): Readonly<Record<Name, number | undefined>> {
  const names = Object.keys(parameters) as Name[];
  const texts = Object.fromEntries(
    names.map((name) => {
      const canonical = (text: string): string => String(wholeIn(text, parameters[name], `${variant}@${name}=${text}`));
      return [name, { kind: 'text', fallback: '', example: String(parameters[name].example), canonical } as const];
    }),
  );
  const { values } = readParameters(variant, argument, texts);
  const numbers = names.map((name) => [name, values[name] === '' ? undefined : Number(values[name])]);
  return Object.fromEntries(numbers) as Record<Name, number | undefined>;
}
