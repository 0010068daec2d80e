import { TenbinError } from '../../core/errors.js';
import type { DenseEncoding, Prepared, Refusal, Variant } from '../system.js';

/** What changes of a prepared system; `applied` is kept here. */
export type Change = Partial<Pick<Prepared, 'encoding' | 'exact' | 'index' | 'conditions'>>;

export interface DenseChange {
  readonly id: string;
  /** A further reason not to fit, as a sentence. */
  readonly refuses?: (encoding: DenseEncoding) => string | null;
  readonly change: (encoding: DenseEncoding) => Change;
}

/** A variant that works on the plain vectors of a dense system, before anything else replaces their index. */
export function denseVariant({ id, refuses, change }: DenseChange): Variant {
  const reasonAgainst = (prepared: Prepared): string | null => {
    const { encoding } = prepared;
    if (encoding?.kind !== 'dense') return `${id} needs one dense vector per text; this system has none.`;
    if (prepared.index !== prepared.exact) {
      return `${id} works on float vectors, so it comes before \`${prepared.applied.at(-1)}\`, and not twice.`;
    }
    return refuses?.(encoding) ?? null;
  };
  return variant(id, reasonAgainst, (prepared) => {
    if (prepared.encoding?.kind !== 'dense') throw refused(id, 'It needs dense vectors.');
    return change(prepared.encoding);
  });
}

/** A variant from its two halves: a refusal is also an error of `apply`, and `applied` grows by the id. */
export function variant(
  id: string,
  reasonAgainst: (prepared: Prepared) => string | null,
  change: (prepared: Prepared) => Change,
): Variant {
  const accepts = (prepared: Prepared): Refusal | null => {
    const reason = reasonAgainst(prepared);
    return reason === null ? null : { reason };
  };
  const apply = (prepared: Prepared): Prepared => {
    const reason = reasonAgainst(prepared);
    if (reason !== null) throw refused(id, reason);
    const changed = change(prepared);
    const conditions = { ...prepared.conditions, ...changed.conditions };
    return { ...prepared, ...changed, conditions, applied: [...prepared.applied, id] };
  };
  return { id, accepts, apply };
}

function refused(id: string, reason: string): TenbinError {
  return new TenbinError('refused', { what: 'This variant does not fit the system', value: id, fix: reason });
}
