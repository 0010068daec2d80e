import { z } from 'zod';

const loneSurrogate = /[\ud800-\udfff]/u;
const exactNumbers = 'is no whole number below 2^53: put it in quotes, or two ids may become one';

/** An id: any text but an empty one, or a whole number. Half of a surrogate pair has no bytes to be stored as. */
export const idField = z
  .union([z.string(), z.number()], { error: 'wants to be a text or a whole number' })
  .refine((id) => typeof id === 'string' || Number.isSafeInteger(id), { error: exactNumbers })
  .transform(String)
  .refine((id) => id !== '', { error: 'is empty' })
  .refine((id) => !loneSurrogate.test(id), { error: 'holds half of a surrogate pair' });

/** A text that has to be there, but may be null, which reads as empty. */
export const textField = z
  .union([z.string(), z.null()], { error: 'wants to be a text or null' })
  .transform((text) => wellFormed(text ?? ''));

/** A text that may be left out. */
export const optionalTextField = textField.optional().transform((text) => text ?? '');

export const scalarField = z.union([z.string(), z.number(), z.boolean()]);

function wellFormed(text: string): string {
  return text.replace(new RegExp(loneSurrogate, 'gu'), '\ufffd');
}
