import { moduleOf } from './wasm-module.js';

declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
  readonly validate: (bytes: Uint8Array) => boolean;
};

export type KernelFunction = (...parameters: readonly number[]) => void;

/** Functions over addresses and sizes, and the memory that the addresses point into. */
export type Library<Name extends string> = Readonly<Record<Name, KernelFunction>> & {
  readonly memory: { readonly buffer: ArrayBuffer; readonly grow: (pages: number) => number };
};

/** A kernel of `moduleOf`. */
export type Kernel = Library<'run'>;

/** Whether vector kernels run or the plain loops that give the same numbers. */
export type Arithmetic = 'simd' | 'scalar';

const pageBytes = 65_536;
/** The 32-bit addresses of WebAssembly end here. */
export const addressableBytes = 2 ** 32 - pageBytes;

export function instanceOf<Name extends string = 'run'>(module: Uint8Array): Library<Name> {
  return new WebAssembly.Instance(new WebAssembly.Module(module)).exports as Library<Name>;
}

/** `scalar` where there is no WebAssembly (--jitless) or no vectors in it (processors without SSE 4.1). */
export const arithmeticHere: Arithmetic = hasVectors() ? 'simd' : 'scalar';

function hasVectors(): boolean {
  const module = moduleOf({ parameters: 0, integers: 0, vectors: 1, body: [] });
  return 'WebAssembly' in globalThis && WebAssembly.validate(module);
}

/** Where arrays of these lengths start when they lie end to end, each from an address that 16 divides. */
export function layout(byteLengths: readonly number[]): { readonly starts: readonly number[]; readonly size: number } {
  let size = 0;
  const starts = byteLengths.map((length) => {
    const start = size;
    size += Math.ceil(length / 16) * 16;
    return start;
  });
  return { starts, size };
}

/** The kernel's memory, grown to at least `size` bytes. Growing detaches the buffers that were given out before. */
export function memoryOf({ memory }: Pick<Kernel, 'memory'>, size: number): ArrayBuffer {
  const missing = Math.ceil(size / pageBytes) - memory.buffer.byteLength / pageBytes;
  if (missing > 0) memory.grow(missing);
  return memory.buffer;
}
