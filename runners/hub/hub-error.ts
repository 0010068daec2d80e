import type { TenbinError } from '../../core/errors.js';
import type { Asked, HubFailure } from './failure.js';
import { sentenceOf } from './sentences.js';
import { type HubSession, sessionError } from './session.js';

/** The error for a failure: its sentence is for the reader, its cause is the failure itself. */
export function hubError(session: HubSession, asked: Asked, failure: HubFailure): TenbinError {
  const { code, ...parts } = sentenceOf(session, asked, failure);
  return sessionError(session, code, { ...parts, cause: failure });
}
