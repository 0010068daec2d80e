import { dirname, resolve } from 'node:path';
import { TenbinError } from '../../core/errors.js';
import type { Policy } from '../../results/gate/policy.js';

/** Where a policy's sides and tables lie; null where it names none. */
export interface Places {
  readonly policy: string;
  readonly qrels: string | null;
  readonly slices: string | null;
  readonly baseline: string;
  readonly candidate: string;
}

/** Paths of a policy are relative to its file, those of the command line to the working folder. */
export function locate(
  policy: Policy,
  path: string,
  given: { readonly baseline?: string; readonly candidate?: string },
): Places {
  const beside = (name: string | null) => (name === null ? null : resolve(dirname(path), name));
  return {
    policy: path,
    qrels: beside(policy.qrels),
    slices: beside(policy.slices),
    baseline: given.baseline ?? beside(policy.baseline) ?? absent('baseline', path),
    candidate: given.candidate ?? beside(policy.candidate) ?? absent('candidate', path),
  };
}

function absent(key: 'baseline' | 'candidate', path: string): never {
  throw new TenbinError('usage', {
    what: `The policy does not say what the ${key} is`,
    value: path,
    fix: `Add the key \`${key}\`, or give --${key}.`,
  });
}
