import { stat } from 'node:fs/promises';
import { TenbinError } from '../core/errors.js';
import type { QueryId } from '../core/ids.js';
import type { ReplayHeader } from '../results/replay/form.js';
import { type NumberedLine, openReplay, type ReplayTask } from '../results/replay/read.js';
import type { ReplayQueries } from '../results/replay/runs.js';
import { fileError } from '../tasks/files.js';
import { lineBatches } from '../tasks/sources/lines.js';

/** An artifact that was read once from end to end and is what it was frozen as. */
interface CheckedReplay extends ReplayQueries {
  readonly path: string;
  readonly header: ReplayHeader;
}

/**
 * Reads the whole file once and keeps no text, so that no model is started on an artifact whose last line turns out to be
 * another one. Costs a second reading, which is little beside any reranker.
 */
export async function checkReplay(path: string): Promise<CheckedReplay> {
  const { header, tasks } = await openReplay(linesOf(path), path);
  const seen: { task: string; digest: string; queries: readonly QueryId[] }[] = [];
  for await (const { facts, queries } of tasks) {
    seen.push({ task: facts.task, digest: facts.digest, queries: queries.map(({ id }) => id) });
  }
  return { path, header, tasks: seen };
}

/** The tasks of a checked artifact, one held at a time; it is held to its digests again. */
export async function* replayTasks({ path, header }: CheckedReplay): AsyncGenerator<ReplayTask> {
  const again = await openReplay(linesOf(path), path);
  if (again.header.digest !== header.digest) throw replaced(path);
  yield* again.tasks;
}

async function* linesOf(path: string): AsyncGenerator<NumberedLine> {
  await stat(path).catch((cause: unknown) => {
    throw fileError('read', path, cause);
  });
  for await (const batch of lineBatches({ path, label: path })) {
    for (const { number, bytes } of batch) yield { number, text: textOf(bytes, `${path}:${number}`) };
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textOf(bytes: Buffer, where: string): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new TenbinError('malformed', {
      what: 'This text is not UTF-8',
      value: where,
      fix: 'An artifact is UTF-8 JSON Lines; a gzip file is told by a name in .gz.',
      cause,
    });
  }
}

function replaced(path: string): TenbinError {
  return new TenbinError('damaged', {
    what: 'The file was replaced while it was read',
    value: path,
    fix: 'Run the command again.',
  });
}
