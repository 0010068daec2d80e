import { type ErrorCode, TenbinError } from '../../../core/errors.js';
import type { Address } from './address.js';
import type { Attempt, Refused } from './attempt.js';
import { type Loss, networkCode } from './loss.js';
import { isOutOfCredit } from './retry.js';
import type { Service } from './services.js';

/** Who was asked for what. */
export interface Connection {
  readonly service: Service;
  /** The name that the service knows the model by. */
  readonly model: string;
  readonly address: Address;
  readonly key: string | null;
}

type Failed = Exclude<Attempt, { readonly kind: 'answer' }>;

const again = 'run the same command again: what was answered before is in the cache';

/** The sentence for a request that came to nothing after `retries` more tries. */
export function failure(attempt: Failed, connection: Connection, retries: number): TenbinError {
  switch (attempt.kind) {
    case 'lost':
      return lost(attempt.loss, connection, { retries, cause: attempt.cause });
    case 'unreadable':
      return new TenbinError('malformed', {
        what: `${connection.service.title} gave an answer that cannot be used`,
        value: `${connection.address.label}: ${attempt.why}`,
        fix: `Check ${addressName(connection)}: something else may be answering there.`,
      });
    case 'refused':
      return refused(attempt, connection, retries);
  }
}

/** A text that alone is too much; `text` says which. */
export function tooLong({ message }: Refused, { service, model }: Connection, text: string): TenbinError {
  return new TenbinError('refused', {
    what: `A text is too long for ${model} at ${service.title}`,
    value: `${text}: ${message}`,
    fix: 'Shorten it, or use a model that takes longer texts.',
  });
}

function lost(
  loss: Loss,
  connection: Connection,
  { retries, cause }: { readonly retries: number; readonly cause: unknown },
): TenbinError {
  const { service, address } = connection;
  const make = (what: string, fix: string) =>
    new TenbinError('io', { what: `${what}${triedAgain(retries)}`, value: address.label, fix, cause });
  const name = addressName(connection);
  const code = networkCode(cause);
  const reason = code === '' ? '' : ` (${code})`;
  switch (loss) {
    case 'nothing-listens':
      return make(
        `The host of ${service.title} cannot be reached${reason}`,
        `Start the server, or check ${name} and the network.`,
      );
    case 'unknown-host':
      return make(
        `The host of ${service.title} cannot be reached: its name is not known${reason}`,
        `Check ${name} and the network.`,
      );
    case 'blocked-port':
      return make(
        `The host of ${service.title} cannot be reached: its port is one that no HTTP client connects to`,
        `Let the server listen on another port, and set ${name} to it.`,
      );
    case 'certificate':
      return make(
        `The connection to ${service.title} is not trusted`,
        `Check ${name} (http or https), or name the authority's file in NODE_EXTRA_CA_CERTS.`,
      );
    case 'timeout':
      return make(`${service.title} did not answer in time`, `Check the server at ${name}, then ${again}.`);
    case 'dropped':
      return make(`The connection to ${service.title} broke off`, `Check the network and the server, then ${again}.`);
  }
}

function refused(attempt: Refused, connection: Connection, retries: number): TenbinError {
  const { service, address, model } = connection;
  const { status, message } = attempt;
  const make = (code: ErrorCode, what: string, fix: string) =>
    new TenbinError(code, {
      what: `${what}${triedAgain(retries)}`,
      value: `${address.label}, status ${status}${message === '' ? '' : `: ${message}`}`,
      fix,
    });
  if (attempt.location !== null && status >= 300 && status < 400) return redirected(attempt.location, connection);
  if (isOutOfCredit(attempt)) return make('refused', `${service.title} has no credit left for this key`, 'Add credit.');
  if (status === 401 || status === 403) return make('refused', ...keyTrouble(connection));
  if (status === 404 && service.hostVariable === null) {
    return make('missing', `No ${service.title} is at this address`, service.modelHelp(model));
  }
  if (isUnknownModel(attempt)) {
    return make('missing', `${service.title} does not know the model ${model}`, service.modelHelp(model));
  }
  if (status === 429)
    return make('refused', `${service.title} limits the rate of requests`, `Wait a while, then ${again}.`);
  if (status === 408 || status >= 500)
    return make('io', `${service.title} failed`, `Look at the server, then ${again}.`);
  return make('refused', `${service.title} does not accept the request`, service.modelHelp(model));
}

function keyTrouble(connection: Connection): [what: string, fix: string] {
  const { service, key } = connection;
  if (service.keyVariable === null) {
    return [`${service.title} refuses the request`, `Check who may use it at ${addressName(connection)}.`];
  }
  if (key === null) return [`${service.title} wants a key`, `Set ${service.keyVariable}.`];
  return [`${service.title} refuses the key`, `Put a key that is valid there into ${service.keyVariable}.`];
}

function isUnknownModel({ status, code, message }: Refused): boolean {
  if (status === 404 || /model_not_found/i.test(code)) return true;
  return (
    (status === 400 || status === 422) &&
    /\bmodel\b.{0,100}\b(not found|not exist|unknown|not supported)/is.test(message)
  );
}

function redirected(location: string, connection: Connection): TenbinError {
  return new TenbinError('refused', {
    what: `${connection.service.title} points to another address, and a key and texts are sent to no other than yours`,
    value: `${connection.address.label} → ${hostOf(location, connection.address)}`,
    fix: `If that is where it is now, write it into ${addressName(connection)}.`,
  });
}

/** The host and path of a redirect, without what may be secret in it. */
function hostOf(location: string, { url }: Address): string {
  try {
    const { host, pathname } = new URL(location, url);
    return `${host}${pathname}`;
  } catch {
    return 'not an address';
  }
}

/** What the user writes the address into. */
function addressName({ service }: Connection): string {
  return service.hostVariable ?? `the address after \`${service.name}:\``;
}

function triedAgain(retries: number): string {
  return retries === 0 ? '' : `, also after ${retries} more ${retries === 1 ? 'try' : 'tries'}`;
}
