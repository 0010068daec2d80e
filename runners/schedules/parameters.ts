import { TenbinError } from '../../core/errors.js';
import { type NumberParameter, type ReadParameters, readParameters } from '../models/parameters.js';

type WholeParameters = Readonly<Record<string, NumberParameter>>;

/** Reads `window=20,step=10`, as models read theirs; every parameter of a schedule is a whole number. */
export function readWholeNumbers<P extends WholeParameters>(
  schedule: string,
  argument: string | undefined,
  parameters: P,
): ReadParameters<P> {
  const read = readParameters(schedule, argument, parameters);
  const broken = Object.entries<number | string>(read.values).find(([, value]) => !Number.isInteger(value));
  if (broken === undefined) return read;
  throw new TenbinError('usage', {
    what: `${schedule} wants a whole number`,
    value: broken.join('='),
    fix: `Write for example \`${schedule}@${broken[0]}=${parameters[broken[0]].fallback}\`.`,
  });
}

export const childrenParameter: NumberParameter = { kind: 'number', fallback: 2, min: 1, max: 25 };
