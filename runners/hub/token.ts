import { readFileSync } from 'node:fs';
import { TenbinError } from '../../core/errors.js';
import { fileError } from '../../tasks/files.js';

/** The token of a variable, else of the file that a login wrote; read once, at the first call. */
export function tokenFrom(variable: string | undefined, path: string): () => string | null {
  let known: string | null | undefined;
  return () => {
    if (known === undefined) known = variable ? cleaned(variable, 'HF_TOKEN') : cleaned(readToken(path), path);
    return known;
  };
}

function readToken(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw fileError('read', path, cause);
  }
}

/**
 * As Python cleans it. What cannot stand in a header is refused here: the error of `fetch` would print it. The value is
 * named nowhere.
 */
function cleaned(text: string, origin: string): string | null {
  const token = text.replace(/[\r\n]/g, '').trim();
  if (token === '') return null;
  if (/^[\x21-\x7e]{1,4096}$/.test(token)) return token;
  throw new TenbinError('usage', {
    what: 'The token for the hub has spaces or characters that a token cannot have',
    value: origin,
    fix: 'Write the token again, as the page /settings/tokens of the hub shows it.',
  });
}
