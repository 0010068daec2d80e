import { TenbinError } from '../../core/errors.js';

/** What a request is about: a 404 without a reason means another thing at each. */
export type Asked = { readonly kind: 'revision' | 'listing' } | { readonly kind: 'file'; readonly path: string };

/** Everything that can go wrong between here and a hub, as data: it decides what is tried again and what is said. */
export type HubFailure =
  | { readonly kind: 'gated' | 'unauthorized' | 'forbidden'; readonly token: 'sent' | 'none' }
  | { readonly kind: 'missing'; readonly part: 'repository' | 'revision' | 'file' | 'repository or revision' }
  /** No connection; `code` is the system's word for why. */
  | { readonly kind: 'unreachable'; readonly code: string }
  | { readonly kind: 'timeout'; readonly limitMs: number }
  /** The connection ended before the answer did. */
  | { readonly kind: 'cut' }
  /** The answer ended, as if that were all, before the file did. */
  | { readonly kind: 'short' }
  | { readonly kind: 'rate-limited'; readonly retryAfterMs: number | null }
  | { readonly kind: 'server'; readonly status: number; readonly retryAfterMs: number | null }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'not-a-hub'; readonly why: string }
  | { readonly kind: 'redirect'; readonly why: string }
  | { readonly kind: 'corrupt'; readonly why: string };

/** The failure that an error stands for: `hubError` keeps it as the cause. */
export function failureOf(error: unknown): HubFailure | null {
  if (!(error instanceof TenbinError)) return null;
  const { cause } = error;
  return typeof cause === 'object' && cause !== null && 'kind' in cause ? (cause as HubFailure) : null;
}

/** The hub gave no answer of its own: another try may get one, and what is cached is as good as it gets. */
export function isSilent(failure: HubFailure | null): boolean {
  return (
    failure !== null && ['unreachable', 'timeout', 'cut', 'short', 'server', 'rate-limited'].includes(failure.kind)
  );
}
