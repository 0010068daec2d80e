import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { onTestFinished } from 'vitest';
import { type BuildOutcome, type BuildRequest, buildTask } from '../../builders/build.js';
import { sha256 } from '../../core/digest.js';
import { taskId } from '../../core/ids.js';
import { readNanoSet } from '../../tasks/store.js';
import type { NanoSet } from '../../tasks/types.js';
import { type MemoryRows, memorySource } from './memory-source.js';

/** A folder of its own for one test. */
export async function temporaryRoot(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'tenbin-builders-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return root;
}

export function buildMemory(
  root: string,
  rows: MemoryRows,
  request: Partial<BuildRequest> = {},
): Promise<BuildOutcome> {
  const task = { id: 'mine/memory', source: 'memory' };
  return buildTask({ root, task, ...request }, () => memorySource(rows));
}

/** Builds and reads back; a build that fails is an error of the test. */
export async function builtNanoSet(rows: MemoryRows, request: Partial<BuildRequest> = {}): Promise<NanoSet> {
  const root = await temporaryRoot();
  const { error } = await buildMemory(root, rows, request);
  if (error !== undefined) throw new Error(error);
  return readNanoSet(root, taskId('mine/memory'));
}

/** Every file below a folder with the digest of its bytes. */
export async function filesBelow(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const rows = await Promise.all(
    paths.sort().map(async (path) => [relative(folder, path), sha256(await readFile(path))] as const),
  );
  return new Map(rows);
}
