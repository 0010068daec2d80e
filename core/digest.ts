import { createHash } from 'node:crypto';
import { canonicalJson, type Json } from './canonical.js';

declare const brand: unique symbol;
/** A sha256 in lower-case hex. */
export type Digest = string & { readonly [brand]: 'Digest' };

export function sha256(data: string | Uint8Array): Digest {
  return createHash('sha256').update(data).digest('hex') as Digest;
}

/** The digest of a value: sha256 of its canonical JSON in UTF-8. */
export function digestOf(value: Json): Digest {
  return sha256(canonicalJson(value));
}
