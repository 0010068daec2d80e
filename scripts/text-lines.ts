import { printable, TenbinError } from '../core/errors.js';
import { unzipped } from '../results/readers/detect.js';
import { textPieces } from '../results/readers/text.js';
import { readOperand } from './read-input.js';

/** What the lines of an input hold besides `id`: all of these fields are texts. */
export interface LineForm<Field extends string> {
  readonly fields: readonly Field[];
}

/** A line of `tenbin encode --texts`. */
export const textLine: LineForm<'text'> = { fields: ['text'] };
/** A line of `tenbin rerank --pairs`. */
export const pairLine: LineForm<'query' | 'document'> = { fields: ['query', 'document'] };

export type Line<Field extends string> = Readonly<Record<'id' | Field, string>>;

/**
 * Every line of a JSONL file, under gzip or not, or of stdin for `-`. Blank lines are passed over; a broken one, an empty
 * id and one that stands twice are refused with the line.
 */
export async function readLines<Field extends string>(path: string, form: LineForm<Field>): Promise<Line<Field>[]> {
  const where = path === '-' ? 'stdin' : path;
  const lines: Line<Field>[] = [];
  const numbers = new Map<string, number>();
  for (const { number, text } of filledLines(unzipped(await readOperand(path), where), where)) {
    const at = `${where}:${number}`;
    const line = parseLine(text, at, form);
    const before = numbers.get(line.id);
    if (before !== undefined)
      throw broken(at, `The id \`${printable(line.id)}\` stands in line ${before} already`, form);
    numbers.set(line.id, number);
    lines.push(line);
  }
  return lines;
}

function* filledLines(bytes: Uint8Array, where: string) {
  let number = 0;
  for (const piece of textPieces(bytes, where)) {
    const texts = piece.split('\n');
    // A piece ends where a line ends, and what follows that is the next piece.
    if (texts.at(-1) === '') texts.pop();
    for (const text of texts) {
      number++;
      if (text.trim() !== '') yield { number, text };
    }
  }
}

function parseLine<Field extends string>(text: string, at: string, form: LineForm<Field>): Line<Field> {
  const json = jsonOf(text);
  if (json === undefined) throw broken(at, 'It is not JSON', form);
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw broken(at, `It is ${kindOf(json)}, no object`, form);
  }
  const values = new Map<string, unknown>(Object.entries(json));
  const id = values.get('id');
  if (typeof id !== 'string' && typeof id !== 'number') throw broken(at, fault('id', id), form);
  if (id === '') throw broken(at, '`id` is empty', form);
  const texts = form.fields.map((field) => {
    const value = values.get(field);
    if (typeof value !== 'string') throw broken(at, fault(field, value), form);
    return [field, value] as const;
  });
  return Object.fromEntries([['id', String(id)], ...texts]) as Line<Field>;
}

/** Undefined, which no JSON is, where the text is none. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fault(field: string, value: unknown): string {
  return value === undefined ? `\`${field}\` is missing` : `\`${field}\` is ${kindOf(value)}, no text`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return { boolean: 'true or false', number: 'a number', string: 'a text' }[typeof value as string] ?? 'an object';
}

function broken(at: string, why: string, { fields }: LineForm<string>): TenbinError {
  const form = ['id', ...fields].map((field) => `"${field}": …`).join(', ');
  return new TenbinError('malformed', {
    what: 'This line cannot be used',
    value: at,
    fix: `${why}; a line is {${form}}.`,
  });
}
