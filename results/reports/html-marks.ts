import type { FamilyName } from '../../runners/system.js';
import type { Status } from '../pareto/types.js';

/** Families differ by shape and standings by how it is filled, so that a plot can be read in black and white. */
const shapes: Readonly<Record<FamilyName, { readonly outline: string; readonly half: string }>> = {
  lexical: { outline: 'M-4.5 -4.5H4.5V4.5H-4.5Z', half: 'M-4.5 -4.5H0V4.5H-4.5Z' },
  dense: { outline: 'M-5 0A5 5 0 1 0 5 0A5 5 0 1 0 -5 0Z', half: 'M0 -5A5 5 0 0 0 0 5Z' },
  sparse: { outline: 'M0 -6L5.5 4.5H-5.5Z', half: 'M0 -6V4.5H-5.5Z' },
  'late-interaction': { outline: 'M0 -6.5L6.5 0L0 6.5L-6.5 0Z', half: 'M0 -6.5V6.5L-6.5 0Z' },
  reranker: {
    outline: 'M-2 -6H2V-2H6V2H2V6H-2V2H-6V-2H-2Z',
    half: 'M-2 -6H0V6H-2V2H-6V-2H-2Z',
  },
};

export const statusWords: Readonly<Record<Status, string>> = {
  frontier: 'on the frontier',
  dominatedWithinError: 'dominated within error',
  dominated: 'surely dominated',
};

/** A mark at a place: filled on the frontier, half filled where it is dominated within error, else hollow. `title` is HTML. */
export function markAt(
  { x, y }: { readonly x: number; readonly y: number },
  family: FamilyName,
  status: Status,
  title = '',
): string {
  const { outline, half } = shapes[family];
  const filled = status === 'frontier' ? ' filled' : '';
  const left = status === 'dominatedWithinError' ? `<path class="half" d="${half}"/>` : '';
  const told = title === '' ? '' : `<title>${title}</title>`;
  return `<g transform="translate(${x} ${y})">${told}<path class="mark${filled}" d="${outline}"/>${left}</g>`;
}
