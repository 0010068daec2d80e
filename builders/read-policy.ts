import { TenbinError } from '../core/errors.js';

/** `strict` refuses what is wrong with file and line; `lenient` counts it and drops it. */
export type Leniency = 'strict' | 'lenient';

/** What `lenient` may drop. */
export type DropKind = 'droppedDocs' | 'droppedQueries' | 'droppedQrels';

export interface Fault {
  readonly kind: DropKind;
  /** What is wrong, as a sentence without its full stop. */
  readonly what: string;
  readonly value: string;
  /** Where it stands: `corpus.jsonl:17`. */
  readonly at: string;
  readonly fix: string;
}

/** Takes note of a faulty row: throws when strict, otherwise counts it and the caller drops the row. */
export interface Policy {
  readonly fault: (fault: Fault) => void;
  readonly dropped: (kind: DropKind) => number;
}

export function policyOf(leniency: Leniency): Policy {
  const dropped = new Map<DropKind, number>();
  const fault = (found: Fault): void => {
    if (leniency === 'strict') throw malformed(found);
    dropped.set(found.kind, (dropped.get(found.kind) ?? 0) + 1);
  };
  return { fault, dropped: (kind) => dropped.get(kind) ?? 0 };
}

function malformed({ what, value, at, fix }: Fault): TenbinError {
  const short = value.length > 80 ? `${value.slice(0, 80)}… (${value.length} characters)` : value;
  return new TenbinError('malformed', {
    what,
    value: `\`${short}\` at ${at}`,
    fix: `${fix} With \`--lenient\` such rows are counted and dropped.`,
  });
}
