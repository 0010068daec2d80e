import { TenbinError } from '../../../core/errors.js';
import type { Service } from './services.js';

const longest = 300;

/**
 * The part of a model's text after the colon. It stands in systems (`openai:m+truncate@256 > cohere:r@50`), so it has
 * none of the characters that systems are put together with.
 */
export function checkRest({ name, title }: Service, rest: string): string {
  const example = name === 'tei' ? 'tei:http://localhost:8080' : `${name}:<model>`;
  const refuse = (what: string) =>
    // An address may hold a password, so its text is not shown.
    new TenbinError('usage', {
      what,
      value: name === 'tei' ? 'tei:…' : `${name}:${rest}`,
      fix: `Write \`${example}\`.`,
    });
  if (rest === '') throw refuse(`${title} needs ${name === 'tei' ? 'an address' : 'the name of a model'}`);
  if (rest.length > longest) throw refuse(`A model's name has at most ${longest} characters`);
  if (/[\s+>,()\p{C}]/u.test(rest)) {
    throw refuse("A model's name has no blanks, control characters, commas, parentheses, `+` or `>`");
  }
  return rest;
}

/** The model's canonical text. */
export const apiId = (service: Service, rest: string): string => `${service.name}:${rest}`;
