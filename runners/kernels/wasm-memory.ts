declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: Kernel };
};

/** A kernel of `moduleOf`: one function over addresses and sizes, and the memory that the addresses point into. */
export interface Kernel {
  readonly memory: { readonly buffer: ArrayBuffer; readonly grow: (pages: number) => number };
  readonly run: (...parameters: readonly number[]) => void;
}

const pageBytes = 65_536;
/** The 32-bit addresses of WebAssembly end here. */
export const addressableBytes = 2 ** 32 - pageBytes;

export function instanceOf(module: Uint8Array): Kernel {
  return new WebAssembly.Instance(new WebAssembly.Module(module)).exports;
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
export function memoryOf({ memory }: Kernel, size: number): ArrayBuffer {
  const missing = Math.ceil(size / pageBytes) - memory.buffer.byteLength / pageBytes;
  if (missing > 0) memory.grow(missing);
  return memory.buffer;
}
