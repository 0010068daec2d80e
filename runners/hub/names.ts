import { TenbinError } from '../../core/errors.js';

export type RepoKind = 'model' | 'dataset';

export interface HubRepo {
  readonly kind: RepoKind;
  /** `org/name`, or `name` for the oldest ones. */
  readonly name: string;
}

const repoShape = /^(?:\b[\w\-.]{1,96}\b\/)?\b[\w\-.]{1,96}\b$/;

/** Refuses what the hub does not take as the name of a repository (its own rules), so that it is safe in paths and URLs. */
export function checkRepo(name: string): void {
  if (repoShape.test(name) && !/--|\.\.|\.git$/.test(name)) return;
  throw new TenbinError('usage', {
    what: 'This is not the name of a repository on the hub',
    value: name,
    fix: 'Write `org/name`: letters, digits, `-`, `_` and `.`, without `--`, `..` or `.git` at the end.',
  });
}

/** Refuses what git does not take as the name of a branch or tag: it becomes a path below `refs/`. */
export function checkRevision(revision: string): void {
  const parts = revision.split('/');
  const fits = parts.every((part) => /^(?!\.)[^\p{Cc}\p{Cs}\s~^:?*[\\]+$/u.test(part));
  if (fits && Buffer.byteLength(revision) <= 200 && !revision.includes('..')) return;
  throw new TenbinError('usage', {
    what: 'This is not a revision',
    value: revision,
    fix: 'Name a branch, a tag, or a commit of 40 hex digits.',
  });
}

/** A full commit: it never changes, so what is cached for it needs no question to the hub. */
export function isCommit(revision: string): boolean {
  return /^[0-9a-f]{40}$/.test(revision);
}

/** Why a path of a listing cannot become a file below `snapshots/`, or null. Hostile until this says null. */
export function pathFault(path: string): string | null {
  if (/[\p{Cc}\p{Cs}\\]/u.test(path)) return 'holds a control character, a lone surrogate or a backslash';
  if (Buffer.byteLength(path) > 1024) return 'is too long';
  const parts = path.split('/');
  if (parts.includes('..') || parts.includes('.')) return 'leads elsewhere';
  if (parts.includes('')) return 'is absolute or has an empty part';
  if (parts.some((part) => /^[A-Za-z]:/.test(part))) return 'names a drive';
  return parts.some((part) => Buffer.byteLength(part) > 255) ? 'has a part that is too long' : null;
}

/** The name of a repository's folder in the cache: `models--org--name`. */
export function repoFolderName({ kind, name }: HubRepo): string {
  return [`${kind}s`, ...name.split('/')].join('--');
}

/** The page of a repository, for readers. */
export function repoPage(endpoint: string, { kind, name }: HubRepo): string {
  return `${endpoint}/${kind === 'dataset' ? 'datasets/' : ''}${name}`;
}

/** The address of a file's bytes. Each part of the path is percent-encoded by itself. */
export function fileUrl(
  endpoint: string,
  repo: HubRepo,
  at: { readonly commit: string; readonly path: string },
): string {
  return `${repoPage(endpoint, repo)}/resolve/${at.commit}/${at.path.split('/').map(encodeURIComponent).join('/')}`;
}
