import { type Linear, plainDot, type Rows } from './dot.js';
import type { Coding } from './panel-pass.js';
import type { StoreOptions } from './panel-store.js';
import { mostQueries } from './panels.js';
import { type TokenPanels, type TokenValues, tokenPanels } from './token-panels.js';
import { selectTop } from './top-k.js';

/** The two sides of late interaction: rows of documents, and a linear function of them for every row of the queries. */
export interface TokenSides {
  readonly dims: number;
  readonly offsets: Int32Array;
  readonly rows: Rows;
  readonly linearOf: (queryRow: number) => Linear;
}

/** Rows of a query: from … to - 1 of all queries' rows. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** Scores of a query's rows, Σ over them of the greatest value of a document's rows; 0 for a document without rows. */
export interface MaxSim {
  /** Writes to scores[doc] the score of every document of `docs`, to the last bit the same by either way. */
  readonly score: (query: RowRange, docs: Int32Array, scores: Float64Array) => void;
  /** Which of `docs`, all with rows, may be among the best k; null where all have to be scored. */
  readonly survivors: (query: RowRange, docs: Int32Array, k: number) => Int32Array | null;
}

/** By the definition: every value in float64 (see `rowDots` for the order), maxima of float64, added from first to last. */
export function plainMaxSim({ dims, offsets, rows, linearOf }: TokenSides): MaxSim {
  const score = ({ from, to }: RowRange, docs: Int32Array, scores: Float64Array): void => {
    for (const doc of docs) scores[doc] = 0;
    for (let queryRow = from; queryRow < to; queryRow++) {
      const linear = linearOf(queryRow);
      for (const doc of docs) {
        if (offsets[doc] === offsets[doc + 1]) continue;
        let best = -Infinity;
        // Math.max hands a NaN on, so that it is refused where scores are ranked.
        for (let row = offsets[doc]; row < offsets[doc + 1]; row++) {
          best = Math.max(best, plainDot(linear, rows, row * dims));
        }
        scores[doc] += best;
      }
    }
  };
  return { score, survivors: () => null };
}

/**
 * The same by a quick look at all pairs of rows in whole numbers, in a coding with one unit for all rows, each value off
 * by at most e_i for query row i. A maximum of values is then off by at most e_i too, and the sum of maxima by Σ e_i: that
 * tells which documents may be among the best. In a document, a row whose quick value is more than 2·e_i below the
 * greatest is not the greatest: only the others, mostly one, are multiplied in float64.
 */
export function quickMaxSim(sides: TokenSides, coding: Coding, options: StoreOptions = {}): MaxSim {
  const plain = plainMaxSim(sides);
  const panels = tokenPanels(coding, sides.offsets, options);
  if (panels === null) return plain;
  const groupsOf = (query: RowRange): QueryGroup[] | null => {
    const groups = groupedRows(query).map((range) => codeGroup(range, sides, coding));
    return groups.every(({ slacks }) => slacks.every(Number.isFinite)) ? groups : null;
  };

  const score = (query: RowRange, docs: Int32Array, scores: Float64Array): void => {
    const groups = groupsOf(query);
    if (groups === null) {
      plain.score(query, docs, scores);
      return;
    }
    for (const doc of docs) scores[doc] = 0;
    for (const group of groups) {
      panels.ask(group.codes);
      for (const doc of docs) {
        if (sides.offsets[doc] < sides.offsets[doc + 1]) addExact({ group, doc, scores }, sides, panels);
      }
    }
  };

  const survivors = (query: RowRange, docs: Int32Array, k: number): Int32Array | null => {
    const groups = groupsOf(query);
    if (groups === null || !(k > 0 && k < docs.length)) return null;
    const sums = new Float64Array(docs.length);
    for (const group of groups) {
      panels.ask(group.codes);
      docs.forEach((doc, i) => {
        sums[i] += sumOfMaxima(panels.maxima(doc), group.units);
      });
    }
    // k documents reach the k-th sum less the slack, so what stays below that with the slack added is worse than they.
    const kth = selectTop(sums, null, sums.length, k).scores[k - 1];
    const slack = slackOf(groups);
    return docs.filter((_, i) => sums[i] + slack >= kth - slack);
  };
  return { score, survivors };
}

interface QueryGroup {
  readonly codes: Int32Array;
  readonly units: Float64Array;
  readonly slacks: Float64Array;
  readonly linears: readonly Linear[];
}

function groupedRows({ from, to }: RowRange): RowRange[] {
  return Array.from({ length: Math.ceil((to - from) / mostQueries) }, (_, i) => ({
    from: from + i * mostQueries,
    to: Math.min(to, from + (i + 1) * mostQueries),
  }));
}

function codeGroup({ from, to }: RowRange, { linearOf }: TokenSides, { units, codeQuery }: Coding): QueryGroup {
  const codes = new Int32Array((to - from) * units);
  const coded = Array.from({ length: to - from }, (_, i) => codeQuery(from + i, codes, i * units));
  return {
    codes,
    units: Float64Array.from(coded, (code) => code.unit),
    slacks: Float64Array.from(coded, (code) => code.slack),
    linears: Array.from({ length: to - from }, (_, i) => linearOf(from + i)),
  };
}

/** Four values for each query row: the greatest of them, in the unit of the documents' rows, added. */
function sumOfMaxima(maxima: Int32Array, units: Float64Array): number {
  let sum = 0;
  for (let i = 0, at = 0; i < units.length; i++, at += 4) sum += units[i] * greatestOf(maxima, at);
  return sum;
}

function greatestOf(maxima: Int32Array, at: number): number {
  return Math.max(Math.max(maxima[at], maxima[at + 1]), Math.max(maxima[at + 2], maxima[at + 3]));
}

/**
 * Σ e_i, and how far n sums of float64 may be rounded, n·2^-53 of all that is added (Higham, §4.2), once for the quick
 * sums and once for the exact ones; values are below 2^31 units.
 */
function slackOf(groups: readonly QueryGroup[]): number {
  let slack = 0;
  let magnitude = 0;
  let rows = 0;
  for (const { units, slacks, linears } of groups) {
    rows += units.length;
    units.forEach((unit, i) => {
      slack += unit * slacks[i];
      magnitude += unit * (2 ** 31 + slacks[i]) + Math.abs(linears[i].offset);
    });
  }
  return slack * (1 + 1e-9) + magnitude * rows * 2 ** -51;
}

interface Addition {
  readonly group: QueryGroup;
  readonly doc: number;
  readonly scores: Float64Array;
}

/** Adds to scores[doc] the greatest float64 value of each query row of the group, in order. */
function addExact({ group, doc, scores }: Addition, sides: TokenSides, panels: TokenPanels): void {
  const { slacks, linears } = group;
  const maxima = panels.maxima(doc);
  // Whole, since values are; Int32Array cuts nothing off, because slacks that go below 32 bits end at the least of them.
  const least = Int32Array.from(slacks, (slack, i) =>
    Math.max(-(2 ** 31), Math.ceil(greatestOf(maxima, 4 * i) - 2 * slack)),
  );
  const best = new Float64Array(slacks.length).fill(-Infinity);
  panels.eachPiece(doc, (piece) =>
    raise(best, least, piece, (i, row) => plainDot(linears[i], sides.rows, row * sides.dims)),
  );
  for (const value of best) scores[doc] += value;
}

/** Raises best[i] to the exact value of each row whose quick value is at least least[i]. */
function raise(
  best: Float64Array,
  least: Int32Array,
  { values, stride, firstRow, rows }: TokenValues,
  exact: (i: number, row: number) => number,
): void {
  for (let i = 0; i < best.length; i++) {
    const start = i * stride;
    const floor = least[i];
    for (let r = 0; r < rows; r++) {
      if (values[start + r] >= floor) best[i] = Math.max(best[i], exact(i, firstRow + r));
    }
  }
}
