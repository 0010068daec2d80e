import { groupBy } from '../core/group.js';
import { analyzerFor } from '../runners/analyzers/index.js';
import type { Doc, NanoSet } from '../tasks/types.js';
import { type CandidateRecall, candidateRecall } from './audit-candidates.js';
import { auditErrors } from './audit-errors.js';
import { type Lengths, lengthsOf } from './audit-lengths.js';
import { type NearDuplicate, nearDuplicates } from './audit-near-duplicates.js';
import { type Overlap, overlapOf } from './audit-overlap.js';

/** What `tenbin audit` prints of one task (formats.md §11). */
export interface Audit extends Overlap {
  readonly task: string;
  /** Ids of byte-identical documents, in groups. */
  readonly duplicates: readonly (readonly string[])[];
  readonly nearDuplicates: readonly NearDuplicate[];
  readonly lengths: { readonly docs: Lengths; readonly queries: Lengths };
  readonly candidateRecall: Readonly<Record<string, CandidateRecall>>;
  /** What must not be there; the rest are findings to look at. */
  readonly errors: readonly string[];
}

/** Looks a nano-set over: what repeats, what leaks, what no system can find. Pure; about 5 s for 10,000 documents. */
export function auditNanoSet(nano: NanoSet): Audit {
  const { language, documentLanguage, domain } = nano.manifest;
  const duplicates = identicalDocs(nano.docs);
  return {
    task: nano.task,
    duplicates,
    nearDuplicates: nearDuplicates(nano.docs),
    ...overlapOf(nano, analyzerFor(language, documentLanguage, domain)),
    lengths: { docs: lengthsOf(nano.docs), queries: lengthsOf(nano.queries) },
    candidateRecall: candidateRecall(nano),
    errors: auditErrors(nano, duplicates),
  };
}

function identicalDocs(docs: readonly Doc[]): string[][] {
  const groups = [...groupBy(docs, ({ text }) => text).values()];
  return groups.filter(({ length }) => length > 1).map((group) => group.map(({ id }) => id));
}
