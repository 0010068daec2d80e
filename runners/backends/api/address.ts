import { TenbinError } from '../../../core/errors.js';
import type { ModelAccess } from '../../system.js';
import type { Service } from './services.js';

/** Where a service listens. */
export interface Address {
  /** Scheme, host and path, without a slash at the end: paths are appended to it. */
  readonly url: string;
  /** Host and path: what is shown, and part of a model's identity. */
  readonly label: string;
}

type Environment = ModelAccess['environment'];

/** The address that the environment gives, or the service's own. */
export function addressOf(service: Service, environment: Environment): Address {
  const { hostVariable, defaultUrl } = service;
  const text = (hostVariable === null ? undefined : environment[hostVariable])?.trim() || defaultUrl || '';
  const where = { name: hostVariable ?? `${service.name}:`, example: defaultUrl ?? 'http://localhost:8080' };
  return readAddress(service.name === 'ollama' ? ollamaUrl(text) : text, where);
}

/** Whether requests go to the vendor's own host. */
export function isDefaultHost(service: Service, { url }: Address): boolean {
  return service.defaultUrl !== null && new URL(service.defaultUrl).host === new URL(url).host;
}

/** `name` is what the user wrote the address into; the text itself may hold a password and is shown in no error. */
export function readAddress(text: string, { name, example }: { name: string; example: string }): Address {
  const fix = `Write it like \`${example}\`; a key goes into its own variable.`;
  const refuse = (what: string) => new TenbinError('usage', { what: `${name} ${what}`, fix });
  if (!/^https?:\/\//i.test(text)) throw refuse('wants an address that begins with http:// or https://');
  const url = parsed(text);
  if (url === null) throw refuse('is not an address');
  if (url.username !== '' || url.password !== '') throw refuse('holds a user name or password, which would be printed');
  if (url.search !== '' || url.hash !== '') throw refuse('holds a query or fragment, which is not kept');
  const path = url.pathname.replace(/\/+$/, '');
  return { url: `${url.origin}${path}`, label: `${url.host}${path}` };
}

function parsed(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/**
 * OLLAMA_HOST as Ollama reads it: quotes are dropped, the scheme and port may be missing (then http and 11434), and an
 * address to listen on everywhere is this machine.
 */
function ollamaUrl(text: string): string {
  const bare = text.replace(/^["'\s]+|["'\s]+$/g, '');
  const [, scheme, rest = bare] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(bare) ?? [];
  const [, host = '', port, path = ''] = /^(\[[0-9a-f:.]*\]|[^:/?#@]*)(?::(\d*))?([/?#].*)?$/is.exec(rest) ?? [];
  // What is not of this form is refused as it stands.
  if (host === '' && port === undefined) return bare;
  const reached = host === '' || host === '0.0.0.0' ? '127.0.0.1' : host === '[::]' ? '[::1]' : host;
  const portText = port ? `:${port}` : scheme === undefined ? ':11434' : '';
  return `${scheme ?? 'http'}://${reached}${portText}${path}`;
}
