import { type Call, type Operator, type Product, shapeAt, textOf } from '../call.js';
import { elementsOf, type Shape, unfit } from '../tensor.js';

interface Equation {
  /** A letter for each axis; axes of `...` are named by numbers, counted from the last. */
  readonly operands: readonly (readonly string[])[];
  readonly result: readonly string[];
  readonly sizes: ReadonlyMap<string, number>;
}

/** Letters of one operand, its `...` spelled out over the axes that have no letter. */
function lettersOf(term: string, rank: number | null, ellipsisRank: number): readonly string[] {
  if (!/^[a-zA-Z]*(\.\.\.)?[a-zA-Z]*$/.test(term)) throw unfit(`an equation with ${term}`);
  const [before, after] = term.split('...');
  const named = (before + (after ?? '')).length;
  const open = after === undefined ? 0 : rank === null ? ellipsisRank : rank - named;
  if (open < 0 || (rank !== null && open + named !== rank)) throw unfit(`${term} for ${rank} axes`);
  const dots = Array.from({ length: open }, (_, i) => `${open - i}`);
  return [...before, ...dots, ...(after ?? '')];
}

/** Without `->` the result has the letters that occur once, in order, behind the axes of `...` (numpy's rule). */
function implicitResult(operands: readonly (readonly string[])[]): readonly string[] {
  const all = operands.flat();
  const once = all.filter((letter) => all.indexOf(letter) === all.lastIndexOf(letter) && !/\d/.test(letter));
  const dots = [...new Set(all.filter((letter) => /\d/.test(letter)))].sort((a, b) => Number(b) - Number(a));
  return [...dots, ...once.sort()];
}

function equationOf(call: Call): Equation {
  const [left, right] = textOf(call, 'equation', '').replaceAll(' ', '').split('->');
  const terms = left.split(',');
  const shapes = call.inputs.map((_, i) => shapeAt(call, i));
  if (terms.length !== shapes.length) throw unfit(`an equation of ${terms.length} for ${shapes.length} inputs`);
  const operands = terms.map((term, i) => lettersOf(term, shapes[i].length, 0));
  const widest = Math.max(0, ...operands.map((letters) => letters.filter((one) => /\d/.test(one)).length));
  const result = right === undefined ? implicitResult(operands) : lettersOf(right, null, widest);
  const sizes = sizesOf(operands, shapes);
  if (result.some((letter) => !sizes.has(letter))) throw unfit(`a letter that no input has: ${right}`);
  return { operands, result, sizes };
}

function sizesOf(operands: readonly (readonly string[])[], shapes: readonly Shape[]): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  operands.forEach((letters, i) => {
    letters.forEach((letter, axis) => {
      const [size, before] = [shapes[i][axis], sizes.get(letter) ?? 1];
      if (before !== 1 && size !== 1 && before !== size) throw unfit(`${letter} is ${before} and ${size}`);
      sizes.set(letter, before === 1 ? size : before);
    });
  });
  return sizes;
}

/**
 * What two operands share and the result lacks is summed over: the inner size. Where nothing is, numbers are multiplied one
 * by one, which is no product of matrices; letters that only one operand has and the result lacks are summed beforehand.
 */
function productsOf(call: Call): readonly Product[] {
  const { operands, result, sizes } = equationOf(call);
  if (operands.length === 1) return [];
  if (operands.length > 2) throw unfit(`an Einsum of ${operands.length} operands, whose order is the runtime's choice`);
  const [a, b] = operands.map((letters) => new Set(letters));
  const over = (letters: Iterable<string>, keep: (letter: string) => boolean) =>
    elementsOf([...letters].filter(keep).map((letter) => sizes.get(letter) ?? 1));
  const kept = new Set(result);
  const isInner = (letter: string) => b.has(letter) && !kept.has(letter);
  if (![...a].some(isInner)) return [];
  const batch = over(a, (letter) => b.has(letter) && kept.has(letter));
  const rows = over(a, (letter) => !b.has(letter) && kept.has(letter));
  const columns = over(b, (letter) => !a.has(letter) && kept.has(letter));
  return [{ part: null, shape: [batch, rows, over(a, isInner), columns], factors: [0, 1] }];
}

export const einsum: Operator = {
  make: (call) => {
    const { result, sizes } = equationOf(call);
    return [{ shape: result.map((letter) => sizes.get(letter) ?? 1) }];
  },
  products: productsOf,
};
