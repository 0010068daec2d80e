/**
 * How long an answer asks to wait: `Retry-After` in seconds or as a date (RFC 9110, 10.2.3), else the reset of the hub's
 * `RateLimit` header (draft-ietf-httpapi-ratelimit-headers: `"api";r=0;t=55`). Null where it does not say.
 */
export function retryAfterMs(headers: Headers, nowMs: number): number | null {
  const after = headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}$/.test(after)) return Number(after) * 1000;
  const date = /^[A-Za-z]{3,9}, /.test(after) ? Date.parse(after) : Number.NaN;
  if (!Number.isNaN(date)) return Math.max(0, date - nowMs);
  const reset = /;\s*r\s*=\s*0\s*;\s*t\s*=\s*(\d{1,9})(?!\d)/.exec(headers.get('ratelimit') ?? '');
  return reset === null ? null : Number(reset[1]) * 1000;
}
