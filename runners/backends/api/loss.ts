/** Why no answer came. */
export type Loss = 'timeout' | 'nothing-listens' | 'unknown-host' | 'blocked-port' | 'certificate' | 'dropped';

/** No connection came about, so nothing was asked for and nothing can have been spent. */
export function neverConnected(loss: Loss): boolean {
  return loss === 'nothing-listens' || loss === 'unknown-host' || loss === 'blocked-port' || loss === 'certificate';
}

/** Reads the reason from the error of fetch, which hides it in its causes. */
export function lossOf(thrown: unknown): Loss {
  const codes = codesOf(thrown, 0);
  const has = (pattern: RegExp) => codes.some((code) => pattern.test(code));
  if (has(/^UND_ERR_(HEADERS|BODY)_TIMEOUT$/)) return 'timeout';
  if (has(unreachable)) return 'nothing-listens';
  if (has(/^ETIMEDOUT$/)) return 'timeout';
  if (has(unknownHost)) return 'unknown-host';
  if (has(/CERT|SELF_SIGNED|^ERR_(TLS|SSL)|^EPROTO$/)) return 'certificate';
  // The Fetch standard has a list of ports that it never connects to, and the error for them has no code.
  return causesOf(thrown, 0).some(({ message }) => message === 'bad port') ? 'blocked-port' : 'dropped';
}

/** `ECONNREFUSED` and the like, for sentences; empty where the error has no code of the network. */
export function networkCode(thrown: unknown): string {
  return codesOf(thrown, 0).find((code) => unreachable.test(code) || unknownHost.test(code)) ?? '';
}

const unreachable = /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT)$/;
const unknownHost = /^(ENOTFOUND|EAI_AGAIN)$/;

function codesOf(thrown: unknown, depth: number): string[] {
  return causesOf(thrown, depth).flatMap((error) =>
    'code' in error && typeof error.code === 'string' ? [error.code] : [],
  );
}

/** An error, its causes and, for a host with several addresses, those of each address. */
function causesOf(thrown: unknown, depth: number): Error[] {
  if (!(thrown instanceof Error) || depth > 5) return [];
  const inner: readonly unknown[] = thrown instanceof AggregateError ? thrown.errors : [];
  return [thrown, ...causesOf(thrown.cause, depth + 1), ...inner.flatMap((one) => causesOf(one, depth + 1))];
}
