import { TenbinError } from '../../../core/errors.js';
import type { ModelAccess } from '../../system.js';
import { type Address, addressOf, isDefaultHost } from './address.js';
import { apiNames, type Service, services } from './services.js';

type Environment = ModelAccess['environment'];

/** The key of a service, or null where there is none. A key that no header can carry is an error that does not show it. */
export function readKey({ keyVariable }: Service, environment: Environment): string | null {
  const key = (keyVariable === null ? undefined : environment[keyVariable])?.trim();
  if (key === undefined || key === '') return null;
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new TenbinError('usage', {
    what: `${keyVariable} holds a character that no key has (a blank, a line break or a letter outside ASCII)`,
    fix: 'Copy the key again, whole and alone.',
  });
}

/** The key to send to that address; only a service at its own host insists on one. */
export function keyFor(service: Service, address: Address, environment: Environment): string | null {
  const key = readKey(service, environment);
  if (key !== null || service.key !== 'needed' || !isDefaultHost(service, address)) return key;
  throw new TenbinError('missing', {
    what: `${service.title} wants a key and there is none`,
    value: address.label,
    fix: `Set ${service.keyVariable}, or ${service.hostVariable} for a server of your own.`,
  });
}

/** The environment variable that a service needs and that is not set: `OPENAI_API_KEY`; null when nothing is missing. */
export function missingFor(name: string, environment: Environment): string | null {
  const known = apiNames.find((one) => one === name);
  if (known === undefined) return null;
  const service = services[known];
  if (service.keyVariable === null || service.key !== 'needed') return null;
  if ((environment[service.keyVariable] ?? '').trim() !== '') return null;
  return isElsewhere(service, environment) ? null : service.keyVariable;
}

function isElsewhere(service: Service, environment: Environment): boolean {
  try {
    return !isDefaultHost(service, addressOf(service, environment));
  } catch {
    // A wrong address is said when the model is bound; a key would not mend it.
    return true;
  }
}

/** A text without the key, also where a server sent it back encoded. To be done before the text is cut. */
export function withoutKey(text: string, key: string | null): string {
  if (key === null) return text;
  const spellings = [
    key,
    encodeURIComponent(key),
    JSON.stringify(key).slice(1, -1),
    Buffer.from(key).toString('base64'),
  ];
  return [...new Set(spellings)].reduce((kept, spelling) => kept.replaceAll(spelling, '(key)'), text);
}
