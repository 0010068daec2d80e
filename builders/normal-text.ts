/** What the builder makes of a raw text. `repaired`: lone surrogates, which UTF-8 cannot hold, became U+FFFD. */
export interface NormalText {
  readonly text: string;
  readonly repaired: boolean;
}

/**
 * NFC, then `String.prototype.trim`: Unicode white space, line ends and U+FEFF go at both ends; U+200B and NUL stay.
 * Well-formed first, because Parquet's UTF-8 has no lone surrogates and a digest of the text must be of what is stored.
 */
export function normalText(raw: string): NormalText {
  const wellFormed = raw.replace(/\p{Surrogate}/gu, '\ufffd');
  return { text: wellFormed.normalize('NFC').trim(), repaired: wellFormed !== raw };
}

/** A document's text: title and body joined by a blank line; the body alone if equal, or whichever is not empty. */
export function documentText({ title, text }: { readonly title: string; readonly text: string }): NormalText {
  const head = normalText(title);
  const body = normalText(text);
  const parts = head.text === body.text ? [body.text] : [head.text, body.text].filter((part) => part !== '');
  return { text: parts.join('\n\n'), repaired: head.repaired || body.repaired };
}

/** Whether an id can be stored as it is: not empty, and no lone surrogate that UTF-8 would fold into another id. */
export function isStorableId(id: string): boolean {
  return id !== '' && !/\p{Surrogate}/u.test(id);
}
