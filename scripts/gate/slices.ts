import { TenbinError } from '../../core/errors.js';
import { nearest } from '../../core/suggest.js';
import type { Policy } from '../../results/gate/policy.js';
import { sliceNames } from '../../results/slices.js';

const ofTasks: readonly string[] = ['suite', 'task', 'language', 'domain'];

/** Slices that the policy asks for and that hang on the query; those of tasks every side has. */
export function querySlicers(policy: Policy): readonly string[] {
  const kinds = slicesIn(policy).map(({ slice }) => kindOf(slice));
  const known = sliceNames.filter((name) => !ofTasks.includes(name));
  return [...new Set(kinds)].filter((kind) => known.some((name) => name === kind) || kind.startsWith('meta.'));
}

/** Without a file of slices all are of known kinds: a slip of the pen would switch a check off for good. */
export function refuseUnknownSlices(policy: Policy): void {
  if (policy.slices !== null) return;
  const kinds = sliceNames.map((name) => name.replace('.FIELD', '.'));
  for (const { slice, at } of slicesIn(policy)) {
    const kind = kindOf(slice);
    if (slice.includes(':') && kinds.some((name) => name === kind || (name === 'meta.' && kind.startsWith(name))))
      continue;
    const near = nearest(kind, kinds);
    throw new TenbinError('usage', {
      what: `checks[${at}].slice is a slice of no known kind`,
      value: `\`${slice}\``,
      fix: `${near === undefined ? '' : `Did you mean \`${near}:…\`? `}There are ${sliceNames.join(', ')}, each with a colon and a value; slices of your own want the key \`slices\`.`,
    });
  }
}

function slicesIn({ checks }: Policy): readonly { readonly slice: string; readonly at: number }[] {
  return checks.flatMap((check, at) =>
    check.kind === 'cost' || check.slice === 'all' ? [] : [{ slice: check.slice, at }],
  );
}

function kindOf(slice: string): string {
  return slice.split(':')[0];
}
