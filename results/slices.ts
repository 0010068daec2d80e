import { TenbinError } from '../core/errors.js';
import { nearest } from '../core/suggest.js';

/** What a query is sliced by. */
export interface SliceFacts {
  readonly suite: string;
  /** `suite/task`. */
  readonly task: string;
  readonly language: string;
  readonly domain: string;
  readonly text: string;
  /** Fields of the query's `meta`. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** UTF-16 units of the relevant documents' texts. */
  readonly positiveLengths: readonly number[];
}

/** The slice of a query, as `language:ja`; null where it is in none. */
export type Slicer = (facts: SliceFacts) => string | null;

const lengthSteps = [4, 8, 16, 32] as const;
const countSteps = [2, 3, 6, 11] as const;
const documentSteps = [250, 1000, 4000] as const;

const slicers: Readonly<Record<string, Slicer>> = {
  suite: ({ suite }) => suite,
  task: ({ task }) => task,
  language: ({ language }) => language,
  domain: ({ domain }) => domain,
  /** Words between blanks. */
  'query-length': ({ text }) => `${step(text.trim().split(/\s+/).length, lengthSteps)} words`,
  /** Mean of the relevant documents. */
  'doc-length': ({ positiveLengths }) =>
    positiveLengths.length === 0
      ? null
      : `${step(Math.round(positiveLengths.reduce((sum, n) => sum + n, 0) / positiveLengths.length), documentSteps)} characters`,
  positives: ({ positiveLengths }) => step(positiveLengths.length, countSteps),
};

export const sliceNames = [...Object.keys(slicers), 'meta.FIELD'] as const;

/** `language`, `query-length`, …, or `meta.FIELD`. Throws `unknown-name` with the nearest name. */
export function slicerFor(name: string): Slicer {
  const field = /^meta\.(.+)$/.exec(name)?.[1];
  const slicer = field === undefined ? slicers[name] : metaSlicer(field);
  if (slicer === undefined || !(field !== undefined || Object.hasOwn(slicers, name))) throw unknownSlice(name);
  return (facts) => {
    const value = slicer(facts);
    return value === null ? null : `${name}:${value}`;
  };
}

function metaSlicer(field: string): Slicer {
  return ({ meta }) => {
    const value = Object.hasOwn(meta, field) ? meta[field] : null;
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
  };
}

/** `0`, `1–3`, `4–7`, …, `32+`: the step that a number falls into. */
function step(value: number, starts: readonly number[]): string {
  if (value === 0) return '0';
  const above = starts.findIndex((start) => value < start);
  if (above === -1) return `${starts.at(-1)}+`;
  const [from, to] = [above === 0 ? 1 : starts[above - 1], starts[above] - 1];
  return from === to ? `${from}` : `${from}–${to}`;
}

function unknownSlice(name: string): TenbinError {
  const near = nearest(name, sliceNames);
  return new TenbinError('unknown-name', {
    what: 'Unknown slice',
    value: `\`${name}\``,
    fix: `${near === undefined ? '' : `Did you mean \`${near}\`? `}There are ${sliceNames.join(', ')}.`,
  });
}
