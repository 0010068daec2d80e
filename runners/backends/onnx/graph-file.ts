import { open, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileError } from '../../../tasks/files.js';

/** What a graph's bytes say before it is opened. */
export interface GraphFile {
  /** Bytes of the graph and of the external data that it names. */
  readonly bytes: number;
  /** Names of its external data, beside it. */
  readonly externalFiles: readonly string[];
  /** Activations are quantized while it runs, by ranges over the whole batch. */
  readonly dynamicQuantization: boolean;
}

const pieceBytes = 16 * 1024 * 1024;
/** Longer than any name that is looked for. */
const overlapBytes = 4096;
/** DynamicQuantizeLinear, and ONNX Runtime's fused DynamicQuantizeMatMul and DynamicQuantizeLSTM. */
const dynamicOperator = Buffer.from('DynamicQuantize');
/** A protobuf message { 1: "location", 2: <name> } of TensorProto.external_data, up to the length of the name. */
const locationKey = Buffer.from('\n\x08location\x12');

/** Scans the file in pieces: a graph can have two gigabytes, and nothing but two strings is looked for. */
export async function scanGraph(path: string): Promise<GraphFile> {
  const found = { dynamic: false, files: new Set<string>() };
  const size = await inPieces(path, (piece) => {
    found.dynamic ||= piece.includes(dynamicOperator);
    for (let at = piece.indexOf(locationKey); at !== -1; at = piece.indexOf(locationKey, at + 1)) {
      const name = stringAt(piece, at + locationKey.length);
      if (name !== null) found.files.add(name);
    }
  });
  // ONNX Runtime itself refuses names that lead out of the folder; here they count nothing.
  const externalFiles = [...found.files].filter((name) => basename(name) === name).sort();
  let bytes = size;
  for (const name of externalFiles) bytes += await sizeBeside(path, name);
  return { bytes, externalFiles, dynamicQuantization: found.dynamic };
}

async function inPieces(path: string, see: (piece: Buffer) => void): Promise<number> {
  try {
    const handle = await open(path, 'r');
    try {
      const buffer = Buffer.alloc(pieceBytes + overlapBytes);
      let kept = 0;
      for (let size = 0; ; ) {
        const { bytesRead } = await handle.read(buffer, kept, pieceBytes, null);
        if (bytesRead === 0) return size;
        size += bytesRead;
        const filled = kept + bytesRead;
        see(buffer.subarray(0, filled));
        kept = Math.min(overlapBytes, filled);
        buffer.copy(buffer, 0, filled - kept, filled);
      }
    } finally {
      await handle.close();
    }
  } catch (cause) {
    throw fileError('read', path, cause);
  }
}

/** A protobuf string of at most 127 bytes, or one whose length takes two bytes. */
function stringAt(bytes: Buffer, at: number): string | null {
  const low = bytes[at];
  if (low === undefined) return null;
  const [length, start] = low < 0x80 ? [low, at + 1] : [(low & 0x7f) | ((bytes[at + 1] ?? 0) << 7), at + 2];
  return length === 0 || start + length > bytes.length ? null : bytes.toString('utf8', start, start + length);
}

async function sizeBeside(path: string, name: string): Promise<number> {
  return stat(join(dirname(path), name)).then(
    ({ size }) => size,
    () => 0,
  );
}
