import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { inFile } from './folders.js';

/** A file that grows at its end. It must be closed. */
export interface PartFile {
  readonly path: string;
  readonly sizeBytes: () => number;
  readonly append: (bytes: Uint8Array) => Promise<void>;
  /** Throws all of it away. */
  readonly restart: () => Promise<void>;
  /** Waits until the disk has it. */
  readonly sync: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Opens a file at its end, and makes it where there is none. Never follows a link. */
export async function openPart(path: string): Promise<PartFile> {
  const flags = constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
  const handle = await inFile(path, () => open(path, flags));
  let size = await inFile(path, async () => (await handle.stat()).size);
  return {
    path,
    sizeBytes: () => size,
    append: (bytes) =>
      inFile(path, async () => {
        for (let done = 0; done < bytes.length; ) {
          const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, size);
          done += bytesWritten;
          size += bytesWritten;
        }
      }),
    restart: () =>
      inFile(path, async () => {
        await handle.truncate(0);
        size = 0;
      }),
    sync: () => inFile(path, () => handle.sync()),
    close: () => handle.close(),
  };
}
