import bytes from 'bytes';
import { MultiBar, type SingleBar } from 'cli-progress';
import type { DownloadProgress } from '../runners/system.js';

export interface Downloads {
  readonly step: (step: DownloadProgress) => void;
  readonly stop: () => void;
}

/** A bar for each file on a terminal, a line for each finished file elsewhere, nothing when quiet. */
export function startDownloads(quiet: boolean | undefined): Downloads {
  if (quiet) return { step: () => undefined, stop: () => undefined };
  return process.stderr.isTTY ? bars() : lines();
}

function bars(): Downloads {
  let all: MultiBar | null = null;
  const byFile = new Map<string, SingleBar>();
  const started = (file: string, totalBytes: number): SingleBar => {
    all ??= new MultiBar({
      format: 'download {bar} {size}  {file}',
      stream: process.stderr,
      hideCursor: true,
      barsize: 24,
      clearOnComplete: false,
    });
    const bar = all.create(totalBytes, 0, { file, size: '' });
    byFile.set(file, bar);
    return bar;
  };
  return {
    step: ({ file, doneBytes, totalBytes }) => {
      const bar = byFile.get(file) ?? started(file, totalBytes);
      bar.update(doneBytes, { size: `${bytes.format(doneBytes)} of ${bytes.format(totalBytes)}` });
    },
    stop: () => all?.stop(),
  };
}

function lines(): Downloads {
  const done = new Set<string>();
  return {
    step: ({ file, doneBytes, totalBytes }) => {
      if (doneBytes < totalBytes || done.has(file)) return;
      done.add(file);
      process.stderr.write(`downloaded  ${file}  ${bytes.format(totalBytes)}\n`);
    },
    stop: () => undefined,
  };
}
