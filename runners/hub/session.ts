import { type ErrorCode, type ErrorParts, TenbinError } from '../../core/errors.js';
import type { HubRepo, RepoKind } from './names.js';
import type { HubOutside } from './outside.js';
import type { HubSettings } from './settings.js';

/** What one download carries along: whom it asks, for what, and with which secret. */
export interface HubSession {
  readonly settings: HubSettings;
  readonly repo: HubRepo;
  /** As it was asked for: a branch, a tag or a commit. */
  readonly revision: string;
  readonly token: string | null;
  readonly outside: HubOutside;
  readonly signal: AbortSignal;
  readonly onNote: (text: string) => void;
}

/** Which repository, at which revision, and how to ask for it. */
export interface HubRequest {
  readonly repo: string;
  /** A branch, a tag, or a commit of 40 hex digits. */
  readonly revision: string;
  readonly kind?: RepoKind;
  readonly settings: HubSettings;
  /** Called with a sentence when the hub makes us wait, or when the cache stands in for it. */
  readonly onNote?: (text: string) => void;
  readonly signal?: AbortSignal;
}

/** Ends with `stop`, or with the request's own signal. The token is not read where nothing is asked of a hub. */
export function openSession(request: HubRequest, outside: HubOutside, stop: AbortController): HubSession {
  const { settings, signal } = request;
  return {
    settings,
    repo: { kind: request.kind ?? 'model', name: request.repo },
    revision: request.revision,
    token: settings.offline ? null : settings.token(),
    outside,
    signal: signal === undefined ? stop.signal : AbortSignal.any([stop.signal, signal]),
    onNote: request.onNote ?? (() => undefined),
  };
}

/** An error of this download. A hub may send the token back in a name or an address: it is taken out of every part. */
export function sessionError(session: HubSession, code: ErrorCode, parts: ErrorParts): TenbinError {
  const hidden = (text: string) => (session.token === null ? text : text.replaceAll(session.token, '(the token)'));
  return new TenbinError(code, {
    ...parts,
    what: hidden(parts.what),
    fix: hidden(parts.fix),
    ...(parts.value === undefined ? {} : { value: hidden(parts.value) }),
  });
}

/** `org/name@revision`, for messages. */
export function spelled({ repo, revision }: Pick<HubSession, 'repo' | 'revision'>): string {
  return `${repo.name}@${revision}`;
}
