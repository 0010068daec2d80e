import { selectTop } from './kernels/top-k.js';
import type { Block, BlockedEncoding, Conditions, Hits, Index, Prepared, Variant } from './system.js';
import { addWork } from './work.js';

/**
 * A system over a corpus that is made ready a block at a time. Every answer is the one that the whole corpus would give:
 * blocks are exact and scores do not depend on neighbours. The first query that comes answers all of them, since a pass
 * over the blocks costs more than a query.
 */
export async function preparedBlocks(encoding: BlockedEncoding, applied: readonly string[]): Promise<Prepared> {
  const sizes = { index: noSize, exact: noSize };
  let conditions: Conditions = {};
  let seen = 0;
  let blockCount = 0;
  let last: Prepared | undefined;
  const docTokens: Int32Array[] = [];
  for await (const { docCount, prepared } of encoding.blocks()) {
    sizes.index = grown(sizes.index, prepared.index, docCount);
    sizes.exact = grown(sizes.exact, prepared.exact, docCount);
    conditions = joinedConditions({ conditions, docs: seen }, { conditions: prepared.conditions, docs: docCount });
    seen += docCount;
    blockCount++;
    if (prepared.tokens !== undefined) docTokens.push(prepared.tokens.docs);
    last = prepared;
  }
  const over = (part: 'index' | 'exact') => blockedIndex({ encoding, part }, meanSize(sizes[part], seen));
  const index = over('index');
  const isExact = last === undefined || last.index === last.exact;
  return {
    encoding,
    exact: isExact ? index : over('exact'),
    index,
    encodeWork: last?.encodeWork ?? {},
    ...(last?.tokens && { tokens: { ...last.tokens, docs: Int32Array.from(docTokens.flatMap((some) => [...some])) } }),
    modelBytes: last?.modelBytes ?? 0,
    conditions: { ...conditions, 'memory.blocks': blockCount },
    applied,
  };
}

/** `bytes` and `bytesPerDoc` summed over blocks, the second by their documents: what is stored, not what is held at once. */
type Size = Pick<Index, 'bytes' | 'bytesPerDoc' | 'bytesPerQuery'>;
const noSize: Size = { bytes: 0, bytesPerDoc: 0 };

/** All blocks are asked the same queries, so that those take what the last block says. */
function grown(size: Size, { bytes, bytesPerDoc, bytesPerQuery }: Index, docCount: number): Size {
  return {
    bytes: size.bytes + bytes,
    bytesPerDoc: size.bytesPerDoc + bytesPerDoc * docCount,
    ...(bytesPerQuery !== undefined && { bytesPerQuery }),
  };
}

function meanSize({ bytesPerDoc, ...size }: Size, docCount: number): Size {
  return { ...size, bytesPerDoc: docCount === 0 ? 0 : bytesPerDoc / docCount };
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

interface Blocks {
  readonly encoding: BlockedEncoding;
  /** Which index of each block is asked. */
  readonly part: 'index' | 'exact';
}

function blockedIndex(blocks: Blocks, size: Size): Index {
  const answers = new Map<number, Promise<readonly Hits[]>>();
  const answersFor = (k: number): Promise<readonly Hits[]> => {
    const known = answers.get(k) ?? searchAll(blocks, k);
    answers.set(k, known);
    return known;
  };
  const searchAmong = inOnePass(blocks);
  return {
    ...size,
    search: async (query, k, among) =>
      among === undefined ? (await answersFor(k))[query] : searchAmong({ query, k, among }),
    searchBlock: async (queries, k) => {
      const all = await answersFor(k);
      return Array.from(queries, (query) => all[query]);
    },
  };
}

async function searchAll({ encoding, part }: Blocks, k: number): Promise<readonly Hits[]> {
  let best: Hits[] = Array.from({ length: encoding.queryCount }, () => nothing);
  for await (const { start, prepared } of encoding.blocks()) {
    const found = await searchBlock(prepared[part], encoding.queryCount, k);
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

/** Whoever asks before the pass begins is answered by it: reading the blocks costs more than searching them. */
function inOnePass(blocks: Blocks): (asked: Asked) => Promise<Hits> {
  let waiting: Asked[] = [];
  let pass: Promise<readonly Hits[]> | null = null;
  return async (asked) => {
    const place = waiting.push(asked) - 1;
    pass ??= Promise.resolve().then(() => {
      const all = waiting;
      waiting = [];
      pass = null;
      return searchAmong(blocks, all);
    });
    return (await pass)[place];
  };
}

async function searchAmong({ encoding, part }: Blocks, asked: readonly Asked[]): Promise<readonly Hits[]> {
  const best: Hits[] = asked.map(() => nothing);
  for await (const { start, docCount, prepared } of encoding.blocks()) {
    for (const [i, { query, k, among }] of asked.entries()) {
      const here = among.filter((doc) => doc >= start && doc < start + docCount).map((doc) => doc - start);
      best[i] = merged(best[i], shifted(await prepared[part].search(query, k, here), start), k);
    }
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
