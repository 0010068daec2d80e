import { selectTop } from './kernels/top-k.js';
import type { Block, BlockedEncoding, Conditions, Hits, Index, Prepared, Variant } from './system.js';
import { addWork } from './work.js';

/**
 * A system over a corpus that is made ready a block at a time. Every answer is the one that the whole corpus would give:
 * blocks are exact and scores do not depend on neighbours. The first query that comes answers all of them, since a pass
 * over the blocks costs more than a query.
 */
export async function preparedBlocks(encoding: BlockedEncoding, applied: readonly string[]): Promise<Prepared> {
  const totals = { bytes: 0, perDoc: 0, blocks: 0 };
  let conditions: Conditions = {};
  let seen = 0;
  let last: Prepared | undefined;
  for await (const { docCount, prepared } of encoding.blocks()) {
    totals.bytes = Math.max(totals.bytes, prepared.index.bytes);
    totals.perDoc += prepared.index.bytesPerDoc * docCount;
    totals.blocks++;
    conditions = joinedConditions({ conditions, docs: seen }, { conditions: prepared.conditions, docs: docCount });
    seen += docCount;
    last = prepared;
  }
  const bytesPerDoc = encoding.docCount === 0 ? 0 : totals.perDoc / encoding.docCount;
  const index = blockedIndex(encoding, { bytes: totals.bytes, bytesPerDoc });
  return {
    encoding,
    exact: index,
    index,
    encodeWork: last?.encodeWork ?? {},
    modelBytes: last?.modelBytes ?? 0,
    conditions: { ...conditions, 'memory.blocks': totals.blocks },
    applied,
  };
}

interface Told {
  readonly conditions: Conditions;
  /** Documents that they speak of. */
  readonly docs: number;
}

/** Facts about the documents of a block become facts about those of both: means by their number, counts by their sum. */
function joinedConditions(before: Told, block: Told): Conditions {
  const entries = Object.entries(block.conditions).map(([name, value]) => {
    const known = before.conditions[name];
    if (typeof value !== 'number' || typeof known !== 'number' || !/docs/i.test(name)) return [name, value];
    if (/truncated/.test(name)) return [name, known + value];
    const mean = (known * before.docs + value * block.docs) / (before.docs + block.docs);
    return [name, /mean/i.test(name) ? mean : value];
  });
  return Object.fromEntries(entries);
}

/** The same blocks with a variant applied to each. */
export function changedBlocks(encoding: BlockedEncoding, variant: Variant, applied: readonly string[]) {
  const blocks = async function* (): AsyncGenerator<Block> {
    for await (const block of encoding.blocks()) yield { ...block, prepared: await variant.apply(block.prepared) };
  };
  return preparedBlocks({ ...encoding, blocks }, [...applied, variant.id]);
}

/** `bytes` are those of the largest block: what is in memory at once. */
function blockedIndex(encoding: BlockedEncoding, sizes: Pick<Index, 'bytes' | 'bytesPerDoc'>): Index {
  const answers = new Map<number, Promise<readonly Hits[]>>();
  const answersFor = (k: number): Promise<readonly Hits[]> => {
    const known = answers.get(k) ?? searchAll(encoding, k);
    answers.set(k, known);
    return known;
  };
  return {
    ...sizes,
    search: async (query, k, among) =>
      among === undefined ? (await answersFor(k))[query] : searchAmong(encoding, { query, k, among }),
  };
}

async function searchAll({ blocks, queryCount }: BlockedEncoding, k: number): Promise<readonly Hits[]> {
  let best: Hits[] = Array.from({ length: queryCount }, () => nothing);
  for await (const { start, prepared } of blocks()) {
    const found = await searchBlock(prepared.index, queryCount, k);
    best = best.map((before, query) => merged(before, shifted(found[query], start), k));
  }
  return best;
}

/** All queries of a block: together where the index can. */
async function searchBlock(index: Index, queryCount: number, k: number): Promise<readonly Hits[]> {
  if (index.searchBlock !== undefined)
    return index.searchBlock(
      Int32Array.from({ length: queryCount }, (_, q) => q),
      k,
    );
  const hits: Hits[] = [];
  for (let query = 0; query < queryCount; query++) hits.push(await index.search(query, k));
  return hits;
}

interface Asked {
  readonly query: number;
  readonly k: number;
  readonly among: Int32Array;
}

async function searchAmong({ blocks }: BlockedEncoding, { query, k, among }: Asked): Promise<Hits> {
  let best = nothing;
  for await (const { start, docCount, prepared } of blocks()) {
    const here = among.filter((doc) => doc >= start && doc < start + docCount).map((doc) => doc - start);
    if (here.length > 0) best = merged(best, shifted(await prepared.index.search(query, k, here), start), k);
  }
  return best;
}

const nothing: Hits = { docs: new Int32Array(0), scores: new Float64Array(0), work: {} };

function shifted({ docs, scores, work }: Hits, by: number): Hits {
  return { docs: docs.map((doc) => doc + by), scores, work };
}

/** The best k of both, ties with the k-th kept; positions ascend inside a tie, since those of `a` come first. */
function merged(a: Hits, b: Hits, k: number): Hits {
  const docs = new Int32Array(a.docs.length + b.docs.length);
  const scores = new Float64Array(docs.length);
  docs.set(a.docs);
  docs.set(b.docs, a.docs.length);
  scores.set(a.scores);
  scores.set(b.scores, a.scores.length);
  const top = selectTop(scores, null, scores.length, k);
  return { docs: top.docs.map((place) => docs[place]), scores: top.scores, work: addWork(a.work, b.work) };
}
