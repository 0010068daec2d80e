import { type ErrorCode, reasonOf, TenbinError } from '../../../core/errors.js';
import type { GraphFacts, Job, JobResult } from './job.js';

/** What is said between a session and its thread. */
export type ToThread = { readonly kind: 'run'; readonly id: number; readonly job: Job } | { readonly kind: 'close' };

export type FromThread =
  | { readonly kind: 'open'; readonly facts: GraphFacts }
  | { readonly kind: 'not-open'; readonly error: SentError }
  | { readonly kind: 'done'; readonly id: number; readonly result: JobResult }
  | { readonly kind: 'failed'; readonly id: number; readonly error: SentError };

/** Errors lose their class on the way to another thread, so their parts are sent. */
export interface SentError {
  readonly code: ErrorCode;
  readonly what: string;
  readonly value?: string;
  readonly fix: string;
}

export function sentError(error: unknown): SentError {
  if (!(error instanceof TenbinError)) return { code: 'io', what: reasonOf(error), fix: 'Run the same command again.' };
  const { what, value, fix } = error.parts;
  return { code: error.code, what, fix, ...(value === undefined ? {} : { value }) };
}

export function receivedError({ code, what, value, fix }: SentError): TenbinError {
  return new TenbinError(code, { what, fix, ...(value === undefined ? {} : { value }) });
}
