/**
 * The few words of WebAssembly that a kernel needs (core specification 2.0 with SIMD), as bytes. Every Node that we
 * support has them. V8 makes vector code without bounds checks of such a loop: 3 to 4 times as fast as JavaScript.
 */
export type Code = readonly number[];

const typeI32 = 0x7f;
const typeVector = 0x7b;
const empty = 0x40;
const end = 0x0b;

export const add: Code = [0x6a];
export const multiply: Code = [0x6c];
export const lessThan: Code = [0x49];
export const atLeast: Code = [0x4f];
/** Signed. */
export const reaches: Code = [0x4e];
export const subtract: Code = [0x6b];
export const loadI32 = (offset: number): Code => [0x28, 2, ...leb(offset)];
export const storeI32: Code = [0x36, 2, 0];
/** Two float64 side by side. */
export const addPairs: Code = [0xfd, 0xf0, 0x01];
export const multiplyPairs: Code = [0xfd, 0xf2, 0x01];
/** One float64 from memory, in both lanes. */
export const loadTwice: Code = [0xfd, 0x0a, 3, 0];

export const constant = (value: number): Code => [0x41, ...signedLeb(value)];
export const get = (local: number): Code => [0x20, local];
export const set = (local: number, ...value: readonly Code[]): Code => [...value.flat(), 0x21, local];
/** A pair from the address on the stack plus `offset` bytes, which need not be aligned. */
export const loadPair = (offset: number): Code => [0xfd, 0x00, 3, ...leb(offset)];
export const storePair = (offset: number): Code => [0xfd, 0x0b, 3, ...leb(offset)];
/** One float64 beside a zero, and back. */
export const loadOne: Code = [0xfd, 0x5d, 3, 0];
export const storeOne: Code = [0xfd, 0x5b, 3, 0, 0];

/** A pair of zeros. */
export const zeroPair: Code = [0xfd, 0x0c, ...Array<number>(16).fill(0)];
/** Two float32 from memory, and the two float64 that they are. */
export const loadTwoFloats = (offset: number): Code => [0xfd, 0x5d, 2, ...leb(offset), 0xfd, 0x5f];
/** Four bytes from memory as four unsigned integers. */
export const loadFourBytes = (offset: number): Code => [0xfd, 0x5c, 0, ...leb(offset), 0xfd, 0x89, 1, 0xfd, 0xa9, 1];
/** The first two of four integers as float64; the last two brought to the front. */
export const toPair: Code = [0xfd, 0xff, 1];
export const lastTwo = (local: number): Code => [
  ...get(local),
  ...get(local),
  ...[0xfd, 0x0d, 8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15],
];
/** Both halves of a pair added, and stored as one float64 at the address below it on the stack. */
export const storeSumOfPair = (local: number, offset: number): Code => [
  ...[...get(local), 0xfd, 0x21, 0],
  ...[...get(local), 0xfd, 0x21, 1],
  ...[0xa0, 0x39, 3, ...leb(offset)],
];

export function whileTrue(condition: readonly Code[], body: readonly Code[]): Code {
  const leaveUnless = [...condition.flat(), 0x45, 0x0d, 1];
  return [0x02, empty, 0x03, empty, ...leaveUnless, ...body.flat(), 0x0c, 0, end, end];
}

export function when(condition: readonly Code[], body: readonly Code[]): Code {
  return [0x02, empty, ...condition.flat(), 0x45, 0x0d, 0, ...body.flat(), end];
}

export interface KernelShape {
  readonly parameters: number;
  readonly integers: number;
  readonly vectors: number;
  readonly body: readonly Code[];
}

/** A module with one function `run` of i32 parameters and no result, and one `memory` that starts with a page. */
export function moduleOf(shape: KernelShape): Uint8Array {
  return libraryOf([['run', shape]]);
}

/** A module with several such functions over one `memory`. */
export function libraryOf(functions: readonly (readonly [name: string, shape: KernelShape])[]): Uint8Array {
  const shapes = functions.map(([, shape]) => shape);
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list(shapes.map(({ parameters: n }) => [0x60, n, ...Array<number>(n).fill(typeI32), 0]))),
    ...section(3, list(shapes.map((_, i) => [i]))),
    ...section(5, [1, 0, 1]),
    ...section(7, list([...functions.map(([name], i) => [...text(name), 0, i]), [...text('memory'), 2, 0]])),
    ...section(10, list(shapes.map(functionBody))),
  ]);
}

function functionBody({ integers, vectors, body }: KernelShape): Code {
  const code = [2, ...leb(integers), typeI32, ...leb(vectors), typeVector, ...body.flat(), end];
  return [...leb(code.length), ...code];
}

function list(items: readonly Code[]): Code {
  return [...leb(items.length), ...items.flat()];
}

function section(id: number, content: Code): Code {
  return [id, ...leb(content.length), ...content];
}

function text(name: string): Code {
  return [name.length, ...Buffer.from(name)];
}

export function leb(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb(value >>> 7)];
}

function signedLeb(value: number): Code {
  return value >= -64 && value < 64 ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signedLeb(value >> 7)];
}
