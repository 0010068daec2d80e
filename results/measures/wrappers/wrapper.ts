import { TenbinError } from '../../../core/errors.js';
import type { GradedList, Measure, MeasureKind, TieValue } from '../../types.js';

/** A measure of a measure: `Oracle(nDCG@10)`. */
export interface MeasureWrapper extends Pick<MeasureKind, 'name' | 'summary' | 'range' | 'source' | 'examples'> {
  /** Throws `usage` for a measure that cannot stand inside. */
  readonly wrap: (inner: Measure) => Measure;
}

interface Definition extends Omit<MeasureWrapper, 'wrap'> {
  readonly evaluate: (list: GradedList, inner: Measure) => TieValue;
}

/** The printed form is the wrapper's name around that of the measure inside. */
export function measureWrapper({ evaluate, ...facts }: Definition): MeasureWrapper {
  return {
    ...facts,
    wrap: (inner) => {
      if (inner.aggregate !== 'mean') throw noMean(facts.name, inner.name);
      return {
        name: `${facts.name}(${inner.name})`,
        aggregate: inner.aggregate,
        evaluate: (list) => evaluate(list, inner),
      };
    },
  };
}

function noMean(name: string, inner: string): TenbinError {
  return new TenbinError('usage', {
    what: `${name} wants a measure that is a mean over queries, and this is none`,
    value: `\`${name}(${inner})\``,
    fix: `Write for example \`${name}(nDCG@10)\`.`,
  });
}
