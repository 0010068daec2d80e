import { readdirSync, type Stats, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { printable, TenbinError } from '../../core/errors.js';
import { byCodePoint } from '../../core/order.js';
import type { SourceFacts } from '../types.js';
import type { TextFile } from './lines.js';

/** A folder that a user brought, and what it should hold. */
export interface CollectionFolder {
  readonly path: string;
  /** The folder's own name: ids and manifests hold no path. */
  readonly name: string;
  /** `corpus.jsonl, queries.jsonl and qrels/<split>.tsv`, for errors. */
  readonly layout: string;
}

export function collectionFolder(plugin: string, argument: string | undefined, layout: string): CollectionFolder {
  if (argument === undefined || argument === '') {
    throw new TenbinError('usage', {
      what: `${plugin} wants a folder`,
      value: `${plugin}:`,
      fix: `Write \`${plugin}:<folder>\`; the folder holds ${layout}.`,
    });
  }
  const folder = { path: argument, name: basename(resolve(argument)), layout };
  if (isFolder(argument)) return folder;
  throw missing(folder, statOf(argument) === undefined ? 'there is no such folder' : 'it is not a folder');
}

/** The first of some files that is there, plain or gzipped. */
export function findFile(folder: CollectionFolder, labels: readonly string[]): TextFile {
  const found = labels
    .flatMap((label) => [label, `${label}.gz`])
    .map((label) => ({ path: join(folder.path, label), label }))
    .find(({ path }) => statOf(path) !== undefined);
  if (found === undefined) throw missing(folder, `it has no ${labels.map(printable).join(', ')}`);
  if (statOf(found.path)?.isFile()) return found;
  throw new TenbinError('io', {
    what: 'Something else stands where a file is wanted',
    value: found.path,
    fix: `Move it away and put the file there: the folder holds ${folder.layout}.`,
  });
}

/** What is known of a collection that comes without a word about itself; the build command's flags say more. */
export function factsOfFolder({ name }: CollectionFolder): SourceFacts {
  return {
    title: name,
    licence: 'unknown',
    attribution: `${name}, a collection brought by the user; its authors and terms are not recorded.`,
    citation: 'unknown',
    language: 'und',
    domain: 'unknown',
  };
}

function missing(folder: CollectionFolder, what: string): TenbinError {
  return new TenbinError('missing', {
    what: `A collection is not all there: ${what}`,
    value: folder.path,
    fix: `It should be a folder that holds ${folder.layout}; each may be gzipped (.gz).`,
  });
}

export function isFolder(path: string): boolean {
  return statOf(path)?.isDirectory() ?? false;
}

/** The names in a folder of the collection. */
export function namesIn(folder: CollectionFolder, label: string): readonly string[] {
  const path = join(folder.path, label);
  if (!isFolder(path)) throw missing(folder, `it has no folder ${label}`);
  return looking(path, () => readdirSync(path).sort(byCodePoint));
}

function statOf(path: string): Stats | undefined {
  return looking(path, () => statSync(path, { throwIfNoEntry: false }));
}

function looking<T>(path: string, look: () => T): T {
  try {
    return look();
  } catch (cause) {
    throw new TenbinError('io', {
      what: 'A path cannot be looked at',
      value: path,
      fix: 'See that it is written as meant and that you may read the folders above it.',
      cause,
    });
  }
}
