import { type Code, leb } from './wasm-module.js';

/** Vector instructions on integers (core specification 2.0, §5.4.8): what the kernels over coded rows are made of. */

/** Sixteen bytes from the address on the stack plus `offset`. */
export const loadVector = (offset: number): Code => [0xfd, 0x00, 2, ...leb(offset)];
export const storeVector = (offset: number): Code => [0xfd, 0x0b, 2, ...leb(offset)];
/** Four bytes from memory, in each of the four lanes. */
export const loadFourTimes = (offset: number): Code => [0xfd, 0x09, 2, ...leb(offset)];
/** Eight bytes from memory as eight unsigned 16-bit integers. */
export const loadEightBytes = (offset: number): Code => [0xfd, 0x02, 0, ...leb(offset)];

/** Eight signed 16-bit products, neighbours added: four 32-bit sums. */
export const multiplyAddNeighbours: Code = [0xfd, 0xba, 0x01];
export const addFours: Code = [0xfd, 0xae, 0x01];
export const addEights: Code = [0xfd, 0x8e, 0x01];
export const greaterOfFours: Code = [0xfd, 0xb8, 0x01];
export const negateFours: Code = [0xfd, 0xa1, 0x01];

export const inAllFours: Code = [0xfd, 0x11];
/** All ones where the first is at least the second, signed. */
export const atLeastFours: Code = [0xfd, 0x3f];
export const either: Code = [0xfd, 0x50];
/** 1 where any bit is set. */
export const anyBit: Code = [0xfd, 0x53];

export const differingBits: Code = [0xfd, 0x51];
/** Ones in each byte. */
export const countOnes: Code = [0xfd, 0x62];
/** Unsigned neighbours added: sixteen bytes to eight 16-bit integers, those to four of 32 bits. */
export const addBytePairs: Code = [0xfd, 0x7d];
export const addEightPairs: Code = [0xfd, 0x7f];

export const zeroVector: Code = [0xfd, 0x0c, ...Array<number>(16).fill(0)];
