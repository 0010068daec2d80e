import { canonicalJson } from '../../core/canonical.js';
import { digestOf } from '../../core/digest.js';
import { type FrozenReplay, freezeReplay, linesDigest } from '../../results/replay/freeze.js';
import { type NumberedLine, openReplay, type ReplayTask } from '../../results/replay/read.js';
import { sealNanoSet } from '../../tasks/nano-files.js';
import type { NanoSet } from '../../tasks/types.js';
import { type SmallNano, smallNano } from '../small-nano.js';

/** A nano-set with the manifest that its files would have. */
export function nanoOf(small: SmallNano, id?: string): NanoSet {
  const unsealed = smallNano(small, id);
  return { ...unsealed, manifest: sealNanoSet(unsealed).manifest };
}

export function freeze(nanos: readonly NanoSet[], pool = 'hybrid', mostLineBytes?: number): Promise<FrozenReplay> {
  return freezeReplay(
    pool,
    (async function* () {
      yield* nanos;
    })(),
    mostLineBytes,
  );
}

/** The lines of a frozen artifact, ends taken off. */
export function textLines({ pieces }: FrozenReplay): string[] {
  return Buffer.concat(pieces).toString('utf8').trimEnd().split('\n');
}

async function* numbered(lines: readonly string[]): AsyncGenerator<NumberedLine> {
  for (const [i, text] of lines.entries()) yield { number: i + 1, text };
}

export async function readAll(lines: readonly string[], where = 'a.jsonl') {
  const { header, tasks } = await openReplay(numbered(lines), where);
  const read: ReplayTask[] = [];
  for await (const task of tasks) read.push(task);
  return { header, tasks: read };
}

type Value = Parameters<typeof canonicalJson>[0] & object;

/** The same line with its digest made anew: what a forger would write. */
export function resealed(line: string, change: (value: Record<string, unknown>) => void): string {
  const { digest: _, ...value } = JSON.parse(line);
  change(value);
  return canonicalJson({ ...value, digest: digestOf(value as Value) });
}

/** The header over other lines, as a forger of all of it would write it. */
export function headed(lines: readonly string[], change: (header: Record<string, unknown>) => void = () => undefined) {
  const [header, ...rest] = lines;
  const digests = rest.map((line) => JSON.parse(line).digest as string);
  return [
    resealed(header, (value) => {
      value.lines = linesDigest(digests);
      change(value);
    }),
    ...rest,
  ];
}
