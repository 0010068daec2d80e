import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { folderName } from '../../../core/ids.js';
import { fileError } from '../../../tasks/files.js';

/** One prompt and what came of it: a line of the log. Texts are known by their digests; the key is in none of it. */
export interface CallRecord {
  /** ISO 8601, when the answer was there. */
  readonly time: string;
  readonly model: string;
  readonly servedModel: string | null;
  readonly schedule: string;
  /** sha256 of the query. */
  readonly query: string;
  /** sha256 of the canonical JSON of the messages, or of the text to be scored. */
  readonly prompt: string;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  readonly finishReason: string | null;
  readonly outcome: 'clean' | 'repaired' | 'malformed' | 'failed';
  readonly attempts: number | null;
  readonly latencyMs: number;
  /** At most 4,000 characters of it. */
  readonly answer: string | null;
  readonly error: string | null;
}

export interface CallLog {
  /** Resolves when the line is handed to the file system. */
  readonly append: (record: CallRecord) => Promise<void>;
  /** Flushes; nothing is appended afterwards. */
  readonly close: () => Promise<void>;
}

export function callLogPath(folder: string, model: string): string {
  return join(folder, `chat.${folderName(model)}.jsonl`);
}

/** A file that is only ever appended to, opened at the first line. A line that a killed process left open is ended first. */
export function fileCallLog(path: string, folder: string): CallLog {
  let file: Promise<FileHandle> | null = null;
  let last: Promise<void> = Promise.resolve();
  const write = async (line: string) => {
    try {
      file ??= openForLines(path, folder);
      await (await file).appendFile(line);
    } catch (cause) {
      throw fileError('write', path, cause);
    }
  };
  return {
    append: (record) => {
      const line = `${JSON.stringify(record)}\n`;
      // In the order of the calls, whether or not the one before could be written.
      const written = last.then(() => write(line));
      last = written.catch(() => undefined);
      return written;
    },
    close: async () => {
      await last;
      if (file === null) return;
      const handle = await file.catch(() => null);
      if (handle === null) return;
      try {
        await handle.sync();
      } catch (cause) {
        throw fileError('write', path, cause);
      } finally {
        await handle.close();
      }
    },
  };
}

async function openForLines(path: string, folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true });
  const handle = await open(path, 'a+');
  try {
    const { size } = await handle.stat();
    const tail = Buffer.alloc(1);
    if (size > 0) await handle.read(tail, 0, 1, size - 1);
    if (size > 0 && tail.toString() !== '\n') await handle.appendFile('\n');
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}
