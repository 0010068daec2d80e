import type { ErrorCode } from '../../core/errors.js';
import type { Asked, HubFailure } from './failure.js';
import { repoPage } from './names.js';
import { type HubSession, spelled } from './session.js';

interface Sentence {
  readonly code: ErrorCode;
  readonly what: string;
  readonly value: string;
  readonly fix: string;
}

const goesOn = 'What was downloaded is kept, and the same command goes on from there.';

/** What to tell a reader: what happened, with what, and what to do now. */
export function sentenceOf(session: HubSession, asked: Asked, failure: HubFailure): Sentence {
  switch (failure.kind) {
    case 'gated':
    case 'unauthorized':
    case 'forbidden':
      return accessSentence(session, failure);
    case 'missing':
      return missingSentence(session, asked, failure.part);
    case 'unreachable':
    case 'timeout':
    case 'cut':
      return connectionSentence(session, failure);
    case 'short':
    case 'rate-limited':
    case 'server':
    case 'status':
      return statusSentence(session, asked, failure);
    default:
      return foreignSentence(session, asked, failure);
  }
}

function accessSentence(
  session: HubSession,
  { kind, token }: Extract<HubFailure, { readonly kind: 'gated' | 'unauthorized' | 'forbidden' }>,
): Sentence {
  const page = repoPage(session.settings.endpoint, session.repo);
  const value = session.repo.name;
  if (kind === 'gated') {
    const then =
      token === 'none'
        ? 'set HF_TOKEN to a token of that account'
        : 'use the account that HF_TOKEN belongs to; a fine-grained token also needs the right to read gated repositories';
    const what = 'This repository is gated: the hub gives it only to accounts that accepted its conditions';
    return { code: 'refused', what, value, fix: `Accept them at ${page} and ${then}.` };
  }
  if (kind === 'forbidden') {
    const fix = `Look at ${page} with a browser, and check what HF_TOKEN may read.`;
    return { code: 'refused', what: 'The hub refuses this repository (403)', value, fix };
  }
  if (token === 'sent') {
    const fix = `Make a new token at ${session.settings.endpoint}/settings/tokens and set HF_TOKEN to it, or unset it.`;
    return { code: 'refused', what: 'The hub does not accept the token (401)', value, fix };
  }
  const what = 'The hub wants a token for this repository (401): it is private or gated, or its name is wrong';
  return { code: 'refused', what, value, fix: 'Check the spelling; if it is right, set HF_TOKEN.' };
}

function missingSentence(session: HubSession, asked: Asked, part: string): Sentence {
  const { repo, revision, token } = session;
  const page = repoPage(session.settings.endpoint, repo);
  if (part === 'file' && asked.kind === 'file') {
    const value = `${asked.path} in ${spelled(session)}`;
    const fix = `Look at ${page}/tree/${encodeURIComponent(revision)} for the files that it has.`;
    return { code: 'missing', what: 'The repository has no such file', value, fix };
  }
  if (part === 'revision') {
    const fix = `Name a branch, a tag or a commit that ${page} has, or leave it out for \`main\`.`;
    return { code: 'missing', what: 'The repository has no such revision', value: spelled(session), fix };
  }
  const secret = token === null ? 'set HF_TOKEN to a token that may read it' : 'use a token that may read it';
  const value = part === 'repository' ? repo.name : spelled(session);
  const fix = `Check the spelling; if it is private, ${secret}.`;
  return { code: 'missing', what: `The hub has no such ${part} (${repo.kind})`, value, fix };
}

function connectionSentence(
  session: HubSession,
  failure: Extract<HubFailure, { readonly kind: 'unreachable' | 'timeout' | 'cut' }>,
): Sentence {
  const value = session.settings.endpoint;
  if (failure.kind === 'unreachable') {
    const fix = `Check the connection and HF_ENDPOINT; the cache does not have all that is needed. ${goesOn}`;
    return { code: 'io', what: `The hub cannot be reached (${failure.code})`, value, fix };
  }
  if (failure.kind === 'cut') {
    const what = 'The connection to the hub broke off, again and again';
    return { code: 'io', what, value, fix: `Check the connection. ${goesOn}` };
  }
  const what = `The hub was silent for ${failure.limitMs / 1000} s, again and again`;
  const fix = `Check the connection, or allow more seconds in HF_HUB_DOWNLOAD_TIMEOUT and HF_HUB_ETAG_TIMEOUT. ${goesOn}`;
  return { code: 'io', what, value, fix };
}

function statusSentence(
  session: HubSession,
  asked: Asked,
  failure: Extract<HubFailure, { readonly kind: 'short' | 'rate-limited' | 'server' | 'status' }>,
): Sentence {
  const about = asked.kind === 'file' ? `${asked.path} in ${spelled(session)}` : spelled(session);
  if (failure.kind === 'short') {
    const fix = 'A proxy or a mirror may cut files off: check HF_ENDPOINT.';
    return { code: 'damaged', what: 'The hub sends less than it lists, again and again', value: about, fix };
  }
  if (failure.kind === 'rate-limited') {
    const { retryAfterMs } = failure;
    const when = retryAfterMs === null ? 'a few minutes' : `${Math.ceil(retryAfterMs / 1000)} s`;
    const more = session.token === null ? ' With HF_TOKEN set the hub allows more.' : '';
    const what = 'The hub limits how often it may be asked (429)';
    return { code: 'io', what, value: about, fix: `Run the command again in ${when}. ${goesOn}${more}` };
  }
  if (failure.kind === 'server') {
    const what = `The hub has a fault of its own (${failure.status}), again and again`;
    return { code: 'io', what, value: about, fix: `Run the command again later. ${goesOn}` };
  }
  const fix = 'Check HF_ENDPOINT; if it is right, the hub has changed and this version of tenbin does not know it.';
  return { code: 'io', what: `The hub gave an answer that is not understood (${failure.status})`, value: about, fix };
}

function foreignSentence(
  session: HubSession,
  asked: Asked,
  failure: Extract<HubFailure, { readonly kind: 'not-a-hub' | 'redirect' | 'corrupt' }>,
): Sentence {
  if (failure.kind === 'corrupt') {
    const value = `${asked.kind === 'file' ? asked.path : 'listing'} of ${spelled(session)}`;
    const fix = 'Nothing of it was kept. If it happens again, a proxy or a mirror changes files: check HF_ENDPOINT.';
    return { code: 'damaged', what: `The downloaded file is damaged (${failure.why})`, value, fix };
  }
  const { endpoint } = session.settings;
  if (failure.kind === 'redirect') {
    const fix = 'Check HF_ENDPOINT, and whether a proxy stands in between.';
    return { code: 'refused', what: `A redirect of the hub is not followed (${failure.why})`, value: endpoint, fix };
  }
  const fix = 'Check HF_ENDPOINT; a login page or a proxy may stand in between.';
  return { code: 'malformed', what: `This does not answer as a hub does (${failure.why})`, value: endpoint, fix };
}
