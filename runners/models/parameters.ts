import { TenbinError } from '../../core/errors.js';
import { nearest } from '../../core/suggest.js';

/** A number that a model takes, with its default and range. */
export interface NumberParameter {
  readonly kind: 'number';
  readonly fallback: number;
  readonly min: number;
  readonly max: number;
}

/** One of several words; the first is the default. */
export interface ChoiceParameter {
  readonly kind: 'choice';
  readonly choices: readonly string[];
}

/** A text that `canonical` checks and prints; the default is to leave it out. */
export interface TextParameter {
  readonly kind: 'text';
  readonly fallback: '';
  readonly example: string;
  readonly canonical: (text: string) => string;
}

type Parameter = NumberParameter | ChoiceParameter | TextParameter;
export type Parameters = Readonly<Record<string, Parameter>>;
type Value<P> = P extends NumberParameter ? number : string;

export interface ReadParameters<P extends Parameters> {
  readonly values: { readonly [Name in keyof P]: Value<P[Name]> };
  /** The canonical text: parameters in the order of their definition, those at their default left out. */
  readonly id: string;
}

/** Reads `k1=0.9,b=0.4` for a model; an unknown name or a value out of range is a usage error with the nearest name. */
export function readParameters<P extends Parameters>(
  model: string,
  argument: string | undefined,
  parameters: P,
): ReadParameters<P> {
  const given = new Map<string, string>();
  for (const pair of argument === undefined ? [] : argument.split(',')) {
    const [name, ...rest] = pair.split('=');
    if (rest.length !== 1 || !Object.hasOwn(parameters, name)) throw unknownParameter(model, pair, parameters);
    if (given.has(name)) throw wrong(`${model} got ${name} twice`, argument ?? '', 'Give it once.');
    given.set(name, rest[0]);
  }
  const values: Record<string, number | string> = {};
  const shown: string[] = [];
  for (const [name, parameter] of Object.entries(parameters)) {
    const text = given.get(name);
    const value = text === undefined ? fallbackOf(parameter) : parsed(`${model}@${name}=${text}`, text, parameter);
    values[name] = value;
    if (value !== fallbackOf(parameter)) shown.push(`${name}=${value}`);
  }
  const id = shown.length === 0 ? model : `${model}@${shown.join(',')}`;
  return { values: values as ReadParameters<P>['values'], id };
}

function fallbackOf(parameter: Parameter): number | string {
  return parameter.kind === 'choice' ? parameter.choices[0] : parameter.fallback;
}

function parsed(whole: string, text: string, parameter: Parameter): number | string {
  if (parameter.kind === 'text') return parameter.canonical(text);
  if (parameter.kind === 'choice') {
    if (parameter.choices.includes(text)) return text;
    const near = nearest(text, parameter.choices);
    const suggestion = near === undefined ? '' : `Did you mean \`${near}\`? `;
    throw wrong('Unknown value', whole, `${suggestion}There are ${parameter.choices.join(', ')}.`);
  }
  const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (number >= parameter.min && number <= parameter.max) return number;
  throw wrong('The number is out of range', whole, `It goes from ${parameter.min} to ${parameter.max}.`);
}

function unknownParameter(model: string, pair: string, parameters: Parameters): TenbinError {
  const names = Object.keys(parameters);
  const near = nearest(pair.split('=')[0], names);
  const suggestion = near === undefined ? '' : `Did you mean \`${near}\`? `;
  const examples = Object.entries(parameters).map(
    ([name, parameter]) => `${name}=${parameter.kind === 'text' ? parameter.example : fallbackOf(parameter)}`,
  );
  return wrong(`${model} has no such parameter`, pair, `${suggestion}Its parameters are ${examples.join(', ')}.`);
}

function wrong(what: string, value: string, fix: string): TenbinError {
  return new TenbinError('usage', { what, value, fix });
}
