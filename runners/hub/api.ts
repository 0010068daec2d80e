import { z } from 'zod';
import { printable } from '../../core/errors.js';
import type { Asked } from './failure.js';
import { hubError } from './hub-error.js';
import { type HubFile, type ListingFault, listingLimits, parseListing } from './listing.js';
import { isCommit } from './names.js';
import { get } from './request.js';
import { withRetries } from './retry.js';
import { type HubSession, sessionError, spelled } from './session.js';
import { refuseAnswer } from './status.js';

/** A page of the hub has a thousand files, in less than a megabyte. */
const limits = { pageBytes: 1 << 26, pages: 2000 } as const;

interface Question {
  readonly asked: Asked;
  readonly shape: z.ZodType;
  readonly shapeName: string;
}

/** The commit that a branch or tag stands for now. One request. */
export async function resolveCommit(session: HubSession): Promise<string> {
  const { modelInfo, datasetInfo } = await import('@huggingface/hub');
  const asked: Asked = { kind: 'revision' };
  const parameters = {
    name: session.repo.name,
    revision: session.revision,
    hubUrl: session.settings.endpoint,
    fetch: libraryFetch(session, { asked, shape: z.object({ sha: z.string() }), shapeName: 'an object with `sha`' }),
    additionalFields: ['sha' as const],
  };
  const { sha } = session.repo.kind === 'model' ? await modelInfo(parameters) : await datasetInfo(parameters);
  if (isCommit(sha)) return sha;
  throw hubError(session, asked, { kind: 'not-a-hub', why: '`sha` is not a commit' });
}

/** Every file of a commit, checked. One request for each page of about a thousand. */
export async function listFilesOf(session: HubSession, commit: string): Promise<readonly HubFile[]> {
  const { listFiles } = await import('@huggingface/hub');
  const entries: unknown[] = [];
  const pages = listFiles({
    repo: { type: session.repo.kind, name: session.repo.name },
    revision: commit,
    recursive: true,
    hubUrl: session.settings.endpoint,
    fetch: libraryFetch(session, { asked: { kind: 'listing' }, shape: z.array(z.unknown()), shapeName: 'a list' }),
  });
  for await (const entry of pages) {
    if (entries.length === listingLimits.files) {
      throw refusedListing(session, { at: 'its end', why: `it goes on after ${listingLimits.files} entries` });
    }
    entries.push(entry);
  }
  const files = parseListing(entries);
  if ('why' in files) throw refusedListing(session, files);
  return files;
}

function refusedListing(session: HubSession, { at, why }: ListingFault): Error {
  return sessionError(session, 'malformed', {
    what: `The hub's list of files is not used: ${printable(why)}`,
    value: `${spelled(session)}, ${at}`,
    fix: 'Nothing was written. Check HF_ENDPOINT, and tell the owner of the repository.',
  });
}

/**
 * The fetch that the library works with: ours has time limits, tries, redirects by hand and the token, of which the
 * library knows nothing (it would refuse one that does not begin with `hf_`). It gets answers only that have their shape.
 */
function libraryFetch(session: HubSession, question: Question): typeof fetch {
  const seen = new Set<string>();
  return async (input) => {
    const address = input instanceof Request ? input.url : String(input);
    if (seen.has(address) || seen.size === limits.pages) {
      throw hubError(session, question.asked, { kind: 'not-a-hub', why: 'pages without end' });
    }
    seen.add(address);
    return withRetries(session, () => answerOf(session, question, address));
  };
}

async function answerOf(session: HubSession, question: Question, address: string): Promise<Response> {
  const { asked, shape, shapeName } = question;
  const answer = await get(session, asked, address, { accept: 'application/json' });
  if (answer.status !== 200) return refuseAnswer(session, asked, answer);
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.chunks()) {
    bytes += chunk.length;
    if (bytes > limits.pageBytes) throw hubError(session, asked, { kind: 'not-a-hub', why: 'an answer without end' });
    pieces.push(chunk);
  }
  const text = Buffer.concat(pieces).toString('utf8');
  const why = `${shapeName} was expected, not ${firstCharacters(text)}`;
  if (!shape.safeParse(jsonOf(text)).success) throw hubError(session, asked, { kind: 'not-a-hub', why });
  const link = answer.headers.get('link');
  return new Response(text, { headers: { 'content-type': 'application/json', ...(link === null ? {} : { link }) } });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Enough to tell a login page from JSON, and too little to tell a secret. */
function firstCharacters(text: string): string {
  if (/^\s*<(?:!doctype|html)/i.test(text)) return 'HTML';
  return text.trim() === '' ? 'nothing' : jsonOf(text) === undefined ? 'a text' : 'other JSON';
}
