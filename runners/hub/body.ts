import type { Asked, HubFailure } from './failure.js';
import { hubError } from './hub-error.js';
import type { HubFile } from './listing.js';
import { fileUrl } from './names.js';
import type { PartFile } from './part-file.js';
import { type Answer, get } from './request.js';
import type { HubSession } from './session.js';
import { refuseAnswer } from './status.js';

/** What to fetch, into what, and whom to tell. */
export interface Pull {
  readonly commit: string;
  readonly file: HubFile;
  readonly part: PartFile;
  /** Called with the bytes that have come. */
  readonly onBytes: (bytes: number) => void;
}

/** One try at the rest of a file. Ends when the part has the listed size; an error says why it does not. */
export async function pullRest(session: HubSession, pull: Pull): Promise<void> {
  const { file, part } = pull;
  if (part.sizeBytes() > file.sizeBytes) await part.restart();
  if (part.sizeBytes() === file.sizeBytes) return;
  const asked: Asked = { kind: 'file', path: file.path };
  const refuse = (failure: HubFailure) => hubError(session, asked, failure);
  const answer = await answerFor(session, asked, pull);
  const announced = announcedBytes(answer.headers);
  const rest = file.sizeBytes - part.sizeBytes();
  if (announced !== null && announced !== rest) {
    await answer.dispose();
    throw refuse({ kind: 'corrupt', why: `the hub sends ${announced} bytes where ${rest} are listed` });
  }
  for await (const chunk of answer.chunks()) {
    if (part.sizeBytes() + chunk.length > file.sizeBytes) {
      throw refuse({ kind: 'corrupt', why: `it is longer than the ${file.sizeBytes} bytes that are listed` });
    }
    await part.append(chunk);
    pull.onBytes(chunk.length);
  }
  if (part.sizeBytes() < file.sizeBytes) throw refuse({ kind: 'short' });
}

/** An answer whose first byte is the one after the part's last; the part is begun anew where a server gives no ranges. */
async function answerFor(session: HubSession, asked: Asked, { commit, file, part }: Pull): Promise<Answer> {
  const address = fileUrl(session.settings.endpoint, session.repo, { commit, path: file.path });
  const offset = part.sizeBytes();
  if (offset > 0) {
    const answer = await get(session, asked, address, { range: `bytes=${offset}-` });
    const range = rangeOf(answer.headers);
    const isRest = range.first === offset && range.last === file.sizeBytes - 1 && !isEncoded(answer.headers);
    if (answer.status === 206 && isRest && (range.total ?? file.sizeBytes) === file.sizeBytes) return answer;
    if (![200, 206, 416].includes(answer.status)) return refuseAnswer(session, asked, answer);
    await part.restart();
    if (answer.status === 200) return answer;
    await answer.dispose();
    if ((range.total ?? file.sizeBytes) !== file.sizeBytes) {
      const why = `the hub has ${range.total} bytes where ${file.sizeBytes} are listed`;
      throw hubError(session, asked, { kind: 'corrupt', why });
    }
  }
  const answer = await get(session, asked, address);
  return answer.status === 200 ? answer : refuseAnswer(session, asked, answer);
}

/** First and last byte and the file's length; each null where the header does not say, as for a range that is refused. */
function rangeOf(headers: Headers) {
  const found = /^bytes (?:(\d+)-(\d+)|\*)\/(?:(\d+)|\*)$/.exec(headers.get('content-range')?.trim() ?? '');
  const numberAt = (group: number) => (found?.[group] === undefined ? null : Number(found[group]));
  return { first: numberAt(1), last: numberAt(2), total: numberAt(3) };
}

function announcedBytes(headers: Headers): number | null {
  const length = headers.get('content-length') ?? '';
  return /^\d+$/.test(length) && !isEncoded(headers) ? Number(length) : null;
}

/** A body that is decoded on the way has other bytes and another length than was said. */
function isEncoded(headers: Headers): boolean {
  return !['', 'identity'].includes(headers.get('content-encoding')?.trim().toLowerCase() ?? '');
}
