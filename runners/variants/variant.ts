import { TenbinError } from '../../core/errors.js';
import type {
  Awaitable,
  DenseEncoding,
  Encoding,
  LateInteractionEncoding,
  Prepared,
  Refusal,
  SparseEncoding,
  Variant,
} from '../system.js';

/** What changes of a prepared system; `applied` is kept here. */
export type Change = Partial<Pick<Prepared, 'encoding' | 'exact' | 'index' | 'conditions'>>;

export interface EncodingChange<Kind extends Encoding> {
  readonly id: string;
  /** As of `Variant`: a corpus may be changed block by block. */
  readonly looksAt?: 'documents';
  /** A further reason not to fit, as a sentence. */
  readonly refuses?: (encoding: Kind) => string | null;
  /** `exact` is the search over the encoding as it is. */
  readonly change: (encoding: Kind, exact: Prepared['exact']) => Awaitable<Change>;
}

/** A variant of plain vectors, one for each text, before anything else replaces their index. */
export function denseVariant(parts: EncodingChange<DenseEncoding>): Variant {
  return encodingVariant(parts, 'one dense vector per text', (encoding) =>
    encoding.kind === 'dense' ? encoding : null,
  );
}

/** A variant of plain sparse rows, of learned and of counted terms alike. */
export function sparseVariant(parts: EncodingChange<SparseEncoding>): Variant {
  return encodingVariant(parts, 'weighted terms of each text', (encoding) =>
    encoding.kind === 'sparse' ? encoding : null,
  );
}

/** A variant of plain token vectors. */
export function lateVariant(parts: EncodingChange<LateInteractionEncoding>): Variant {
  return encodingVariant(parts, 'one vector for each token', (encoding) =>
    encoding.kind === 'late-interaction' ? encoding : null,
  );
}

function encodingVariant<Kind extends Encoding>(
  { id, looksAt, refuses, change }: EncodingChange<Kind>,
  wanted: string,
  asKind: (encoding: Encoding) => Kind | null,
): Variant {
  const encodingOf = ({ encoding }: Prepared): Kind | null => (encoding === null ? null : asKind(encoding));
  const reasonAgainst = (prepared: Prepared): string | null => {
    const encoding = encodingOf(prepared);
    if (encoding === null) return `${id} needs ${wanted}; this system has none.`;
    if (prepared.index !== prepared.exact) {
      return `${id} works on the encoding itself, so it comes before \`${prepared.applied.at(-1)}\`, and not twice.`;
    }
    return refuses?.(encoding) ?? null;
  };
  const changing = variant(id, reasonAgainst, (prepared) => {
    const encoding = encodingOf(prepared);
    if (encoding === null) throw refused(id, `It needs ${wanted}.`);
    return change(encoding, prepared.exact);
  });
  return looksAt === undefined ? changing : { ...changing, looksAt };
}

/** A variant from its two halves: a refusal is also an error of `apply`, and `applied` grows by the id. */
export function variant(
  id: string,
  reasonAgainst: (prepared: Prepared) => string | null,
  change: (prepared: Prepared) => Awaitable<Change>,
): Variant {
  const accepts = (prepared: Prepared): Refusal | null => {
    const reason = reasonAgainst(prepared);
    return reason === null ? null : { reason };
  };
  const apply = async (prepared: Prepared): Promise<Prepared> => {
    const reason = reasonAgainst(prepared);
    if (reason !== null) throw refused(id, reason);
    const changed = await change(prepared);
    const conditions = { ...prepared.conditions, ...changed.conditions };
    return { ...prepared, ...changed, conditions, applied: [...prepared.applied, id] };
  };
  return { id, accepts, apply };
}

function refused(id: string, reason: string): TenbinError {
  return new TenbinError('refused', { what: 'This variant does not fit the system', value: id, fix: reason });
}
