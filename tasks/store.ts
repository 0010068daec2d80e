import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../core/digest.js';
import { TenbinError } from '../core/errors.js';
import { isTaskId, splitTaskId, type TaskId, taskId } from '../core/ids.js';
import { byCodePoint } from '../core/order.js';
import { readBytes, readIfThere, sweepTemporaries, writeAllAtomic } from './files.js';
import { parseManifest } from './manifest.js';
import { decodeJudgements, decodeNanoSet } from './nano-decode.js';
import { manifestDigest, manifestText, nanoPaths, type Sealed } from './nano-files.js';
import type { Manifest, NanoSet } from './types.js';

/** The folder of a suite's nano-sets below the root of everything written. */
export function suiteFolder(root: string, suite: string): string {
  return join(root, 'nano', suite);
}

/** Writes a sealed nano-set; the manifest comes last, so a task exists only when all of its files do. */
export async function writeNanoSet(root: string, { manifest, files }: Sealed): Promise<void> {
  const folder = suiteFolder(root, manifest.suite);
  const all = new Map<string, Uint8Array | string>(files);
  all.set(nanoPaths.manifest(manifest.task), manifestText(manifest));
  await sweepNanoSet(root, manifest);
  await writeAllAtomic([...all].map(([path, data]) => ({ path: join(folder, path), data })));
}

/** Removes what killed builds left beside the files of a nano-set. */
export async function sweepNanoSet(root: string, manifest: Manifest): Promise<void> {
  const folders = new Set(['manifests', ...Object.keys(manifest.files).map((path) => path.split('/')[0] ?? '')]);
  for (const name of folders) await sweepTemporaries(join(suiteFolder(root, manifest.suite), name));
}

/** The manifest of a task, verified against its own digest, or null when the task is not built. */
export async function readManifest(root: string, id: TaskId): Promise<Manifest | null> {
  const { suite, task } = splitTaskId(id);
  const path = join(suiteFolder(root, suite), nanoPaths.manifest(task));
  const bytes = await readIfThere(path);
  if (bytes === null) return null;
  const manifest = parseManifest(new TextDecoder().decode(bytes), path);
  if (manifest.suite !== suite || manifest.task !== task || manifestDigest(manifest) !== manifest.digest) {
    throw changed(path);
  }
  return manifest;
}

/** A nano-set with every file verified: one flipped byte is an error that names the file. */
export async function readNanoSet(root: string, id: TaskId): Promise<NanoSet> {
  const manifest = await builtManifest(root, id);
  const files = new Map<string, Uint8Array>();
  for (const name of Object.keys(manifest.files)) files.set(name, await readVerified(root, manifest, name));
  return decodeNanoSet(id, manifest, files);
}

/** The judgements of a task without its texts and pools, verified likewise. */
export async function readJudgements(root: string, id: TaskId) {
  const manifest = await builtManifest(root, id);
  const name = nanoPaths.qrels(manifest.task);
  return { manifest, judged: await decodeJudgements(await readVerified(root, manifest, name), name) };
}

async function builtManifest(root: string, id: TaskId): Promise<Manifest> {
  const manifest = await readManifest(root, id);
  if (manifest !== null) return manifest;
  throw new TenbinError('missing', {
    what: 'This task is not built',
    value: id,
    fix: `Run \`tenbin build ${id}\` first.`,
  });
}

async function readVerified(root: string, manifest: Manifest, name: string): Promise<Uint8Array> {
  const path = join(suiteFolder(root, manifest.suite), name);
  const bytes = await readBytes(path);
  if (sha256(bytes) !== manifest.files[name]) throw changed(path);
  return bytes;
}

/** Whether every file of a built task is still what its manifest says. */
export async function isIntact(root: string, manifest: Manifest): Promise<boolean> {
  const folder = suiteFolder(root, manifest.suite);
  for (const [name, digest] of Object.entries(manifest.files)) {
    const bytes = await readIfThere(join(folder, name));
    if (bytes === null || sha256(bytes) !== digest) return false;
  }
  return true;
}

/** Ids of every task built below a root, in code-point order. */
export async function listBuilt(root: string): Promise<TaskId[]> {
  const suites = await folderNames(join(root, 'nano'));
  const ids: TaskId[] = [];
  for (const suite of suites) {
    const names = await folderNames(join(suiteFolder(root, suite), 'manifests'));
    const known = names.filter((name) => name.endsWith('.json')).map((name) => `${suite}/${name.slice(0, -5)}`);
    ids.push(...known.filter(isTaskId).map(taskId));
  }
  return ids.sort(byCodePoint);
}

async function folderNames(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [] as string[]);
  return names.filter((name) => !name.startsWith('.'));
}

function changed(path: string): TenbinError {
  return new TenbinError('damaged', {
    what: 'This file is not what was frozen: its digest differs from the manifest',
    value: path,
    fix: 'Build the task again with `tenbin build TASK --force`, or restore the file.',
  });
}
