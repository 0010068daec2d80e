import { SingleBar } from 'cli-progress';
import { durationText } from '../core/numbers.js';

export interface Progress {
  /** One unit is done; `label` says which. */
  readonly tick: (label: string) => void;
  /** So many texts or pairs more went through a model: between two units, a sign of life. */
  readonly work: (count: number) => void;
  /** A line that must be seen, such as a failure. */
  readonly note: (text: string) => void;
  readonly stop: () => void;
}

/** A bar with rate and ETA on a terminal, plain lines elsewhere, nothing at all when quiet. */
export function startProgress(title: string, total: number, quiet: boolean | undefined): Progress {
  if (quiet || total === 0)
    return { tick: () => undefined, work: () => undefined, note: () => undefined, stop: () => undefined };
  return process.stderr.isTTY ? bar(title, total) : lines(title, total);
}

function bar(title: string, total: number): Progress {
  const startMs = performance.now();
  const format = `${title} {bar} {value}/{total}  {rate}/s  ETA {eta_formatted}  {label}`;
  const single = new SingleBar({
    format,
    stream: process.stderr,
    hideCursor: true,
    barsize: 24,
    clearOnComplete: false,
  });
  single.start(total, 0, { rate: '–', label: '' });
  let done = 0;
  let worked = 0;
  return {
    tick: (label) => {
      done++;
      single.update(done, { rate: perSecond(done, startMs), label: label.slice(0, 60) });
    },
    work: (count) => {
      worked += count;
      single.update(done, { label: `${worked} texts through models` });
    },
    note: (text) => process.stderr.write(`\n${text}\n`),
    stop: () => single.stop(),
  };
}

/** At most a line every two seconds, so that a log of a night stays readable. */
function lines(title: string, total: number): Progress {
  const startMs = performance.now();
  let done = 0;
  let worked = 0;
  let printedMs = Number.NEGATIVE_INFINITY;
  return {
    work: (count) => {
      worked += count;
      const nowMs = performance.now();
      if (nowMs - printedMs < 10_000) return;
      printedMs = nowMs;
      process.stderr.write(`${title} ${done}/${total}  ${worked} texts through models\n`);
    },
    tick: (label) => {
      done++;
      const nowMs = performance.now();
      if (nowMs - printedMs < 2000 && done < total) return;
      printedMs = nowMs;
      const leftMs = ((nowMs - startMs) / done) * (total - done);
      const eta = done === total ? `took ${durationText(nowMs - startMs)}` : `ETA ${durationText(leftMs)}`;
      process.stderr.write(`${title} ${done}/${total}  ${perSecond(done, startMs)}/s  ${eta}  ${label}\n`);
    },
    note: (text) => process.stderr.write(`${text}\n`),
    stop: () => undefined,
  };
}

function perSecond(done: number, startMs: number): string {
  return (done / Math.max(0.001, (performance.now() - startMs) / 1000)).toFixed(1);
}
