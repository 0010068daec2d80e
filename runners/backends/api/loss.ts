/** Why no answer came. */
export type Loss = 'timeout' | 'nothing-listens' | 'unknown-host' | 'certificate' | 'dropped';

/** Reads the reason from the error of fetch, which hides it in its causes. */
export function lossOf(thrown: unknown): Loss {
  const codes = codesOf(thrown, 0);
  const has = (pattern: RegExp) => codes.some((code) => pattern.test(code));
  if (has(/^(UND_ERR_(HEADERS|BODY)_TIMEOUT|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/)) return 'timeout';
  if (has(/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)$/)) return 'nothing-listens';
  if (has(/^(ENOTFOUND|EAI_AGAIN)$/)) return 'unknown-host';
  if (has(/CERT|SELF_SIGNED|^ERR_(TLS|SSL)|^EPROTO$/)) return 'certificate';
  return 'dropped';
}

/** Codes of an error, its causes and, for a host with several addresses, those of each address. */
function codesOf(thrown: unknown, depth: number): string[] {
  if (!(thrown instanceof Error) || depth > 5) return [];
  const code = 'code' in thrown && typeof thrown.code === 'string' ? [thrown.code] : [];
  const inner: readonly unknown[] = thrown instanceof AggregateError ? thrown.errors : [];
  return [...code, ...codesOf(thrown.cause, depth + 1), ...inner.flatMap((one) => codesOf(one, depth + 1))];
}
