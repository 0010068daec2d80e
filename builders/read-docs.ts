import { TenbinError } from '../core/errors.js';
import { type DocId, docId } from '../core/ids.js';
import { byCodePoint } from '../core/order.js';
import type { Source, SourceDoc } from '../tasks/types.js';
import type { DocText, Slot } from './collection.js';
import { documentText, isStorableId } from './normal-text.js';
import type { Policy } from './read-policy.js';
import { textDigest } from './text-digest.js';

/** Ids and digests of a corpus: about 200 bytes for each document, whatever its length. */
export interface DocTable {
  readonly ids: readonly DocId[];
  readonly digests: readonly string[];
  /** Slots by id; byte-identical documents share one. */
  readonly slotOf: ReadonlyMap<string, Slot>;
  readonly emptyIds: ReadonlySet<string>;
  readonly read: number;
  readonly duplicates: number;
  readonly repaired: number;
}

/** What an empty document has in place of a digest. */
const empty = '';

/**
 * The first pass over the documents. A repeated id is a fault; what stays of its rows is the smallest digest, and an
 * empty one only where there is no other, so that the order of lines does not show.
 */
export async function readDocs(source: Source, policy: Policy): Promise<DocTable> {
  const digestOf = new Map<string, string>();
  const repaired = new Set<string>();
  for await (const doc of source.docs()) {
    if (!hasStorableId(doc, policy)) continue;
    const normal = documentText(doc);
    const digest = normal.text === '' ? empty : textDigest(normal.text);
    const known = digestOf.get(doc.id);
    if (known !== undefined) policy.fault(repeatedId(doc));
    if (known !== undefined && !replaces(digest, known)) continue;
    digestOf.set(doc.id, digest);
    if (normal.repaired) repaired.add(doc.id);
    else repaired.delete(doc.id);
  }
  return { ...collapse(digestOf), read: digestOf.size, repaired: repaired.size };
}

function hasStorableId({ id, at }: SourceDoc, policy: Policy): boolean {
  if (isStorableId(id)) return true;
  policy.fault({
    kind: 'droppedDocs',
    what: 'A document id is empty or not valid Unicode',
    value: id,
    at,
    fix: 'Give every document an id that UTF-8 can hold.',
  });
  return false;
}

function repeatedId({ id, at }: SourceDoc) {
  return {
    kind: 'droppedDocs',
    what: 'A document id stands twice',
    value: id,
    at,
    fix: 'Ids must be unique: rename or remove one of the two.',
  } as const;
}

function replaces(digest: string, known: string): boolean {
  return digest !== empty && (known === empty || byCodePoint(digest, known) < 0);
}

/** One slot for each distinct text, in the order of first appearance, under the smallest of its ids. */
function collapse(digestOf: ReadonlyMap<string, string>) {
  const ids: DocId[] = [];
  const digests: string[] = [];
  const slotOf = new Map<string, Slot>();
  const emptyIds = new Set<string>();
  const slotOfDigest = new Map<string, Slot>();
  for (const [id, digest] of digestOf) {
    if (digest === empty) {
      emptyIds.add(id);
      continue;
    }
    const slot = slotOfDigest.get(digest) ?? ids.length;
    slotOfDigest.set(digest, slot);
    slotOf.set(id, slot);
    if (slot === ids.length) digests.push(digest);
    if (slot === ids.length || byCodePoint(id, ids[slot] ?? '') < 0) ids[slot] = docId(id);
  }
  return { ids, digests, slotOf, emptyIds, duplicates: slotOf.size - ids.length };
}

/** A later pass: the texts of the wanted slots. A source that gives other texts than before is an error. */
export async function* streamTexts(
  source: Source,
  table: DocTable,
  wanted?: ReadonlySet<Slot>,
): AsyncGenerator<DocText> {
  let missing = wanted?.size ?? table.ids.length;
  const seen = new Uint8Array(table.ids.length);
  for await (const doc of source.docs()) {
    const slot = table.slotOf.get(doc.id);
    if (slot === undefined || seen[slot] === 1 || table.ids[slot] !== doc.id) continue;
    if (wanted !== undefined && !wanted.has(slot)) continue;
    const { text } = documentText(doc);
    if (textDigest(text) !== table.digests[slot]) continue;
    seen[slot] = 1;
    missing--;
    yield { slot, text };
  }
  if (missing === 0) return;
  throw new TenbinError('damaged', {
    what: 'The source changed while it was read',
    value: `${source.id}: ${missing} documents are not what they were at first`,
    fix: 'Let nothing write to it and build again.',
  });
}
