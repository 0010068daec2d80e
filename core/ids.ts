import { sha256 } from './digest.js';
import { TenbinError } from './errors.js';

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** Any text at all: ids come from outside and never become a path or a key of a plain object. */
export type QueryId = Branded<'QueryId'>;
export type DocId = Branded<'DocId'>;
/** `suite/task`, each part fit for a file name on every system. */
export type TaskId = Branded<'TaskId'>;

export const queryId = (text: string): QueryId => text as QueryId;
export const docId = (text: string): DocId => text as DocId;

const namePart = /^[a-z0-9][a-z0-9._-]{0,99}$/;

export function isTaskId(text: string): text is TaskId {
  const parts = text.split('/');
  return parts.length === 2 && parts.every((part) => namePart.test(part));
}

export function taskId(text: string): TaskId {
  if (isTaskId(text)) return text;
  throw new TenbinError('usage', {
    what: 'A task is named SUITE/TASK, each of lower-case letters, digits, dots, dashes and underscores',
    value: text,
    fix: 'Write for example `mine/support-faq`.',
  });
}

export function splitTaskId(id: TaskId): { readonly suite: string; readonly task: string } {
  const [suite = '', task = ''] = id.split('/');
  return { suite, task };
}

/** A folder name for a system's canonical text: readable, safe on every file system, and unique by 10 hex digits. */
export function folderName(system: string): string {
  const readable = system
    .replace(/[^A-Za-z0-9._=+-]+/g, '_')
    .replace(/^[._-]+|[._-]+$/g, '')
    .slice(0, 80);
  return `${readable}.${sha256(system).slice(0, 10)}`;
}
