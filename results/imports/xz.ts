import { reasonOf, TenbinError } from '../../core/errors.js';

/** A result file of HAKARI-Bench takes 44 MB for 200 queries and 20 variants; a bomb of 90 kB would take gigabytes. */
const mostUnpackedBytes = 1 << 28;

/**
 * The bytes in an xz file, all of its streams, with CRC checked. The decoder is WebAssembly and is loaded when the first
 * file needs it. Throws `damaged` for a file that was cut off or changed, `refused` beyond
 * `mostBytes`, before it is unpacked any further.
 */
export async function decompressXz(
  bytes: Uint8Array,
  where: string,
  mostBytes = mostUnpackedBytes,
): Promise<Uint8Array> {
  const { XzReadableStream } = (await import('xz-decompress')).default;
  const packed = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(bytes);
      controller.close();
    },
  });
  const reader = new XzReadableStream(packed).getReader();
  const parts: Uint8Array[] = [];
  let total = 0;
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw cutOff(where, cause);
    });
    if (done) return Buffer.concat(parts);
    total += value.length;
    if (total > mostBytes) {
      // The decoder takes one file at a time: the next would wait for this one for ever. At its end it throws instead.
      await reader.cancel().catch(() => undefined);
      throw tooLarge(where, mostBytes);
    }
    parts.push(value);
  }
}

function cutOff(where: string, cause: unknown): TenbinError {
  return new TenbinError('damaged', {
    what: `This xz file cannot be read to its end (${reasonOf(cause)})`,
    value: where,
    fix: 'It was cut off or changed, or is checked by SHA-256, which is not read: unpack it with `xz -d`.',
    cause,
  });
}

function tooLarge(where: string, mostBytes: number): TenbinError {
  return new TenbinError('refused', {
    what: `This xz file unpacks to more than ${mostBytes} bytes`,
    value: where,
    fix: 'No result file is that large; unpack it with `xz -d` and look.',
  });
}
