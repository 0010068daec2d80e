import { TenbinError } from '../../core/errors.js';
import type { ModelAccess } from '../system.js';

/** The user's own price for a million tokens, in any currency; null when it is not set. Prices are never assumed. */
export function priceFrom(
  environment: ModelAccess['environment'],
  name: 'TENBIN_PRICE_PROMPT' | 'TENBIN_PRICE_COMPLETION',
): number | null {
  const text = environment[name]?.trim() ?? '';
  if (text === '') return null;
  if (/^\d{1,9}(\.\d{1,12})?$/.test(text)) return Number(text);
  throw new TenbinError('usage', {
    what: `${name} wants the price of a million tokens as a number`,
    value: text,
    fix: `Write for example \`${name}=0.6\`.`,
  });
}
