import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export const commit = 'a'.repeat(40);
export const otherCommit = 'b'.repeat(40);

export interface Asked {
  readonly url: URL;
  readonly range: string | null;
  readonly authorization: string | null;
}

export interface Exchange extends Asked {
  readonly response: ServerResponse;
  readonly send: (reply: Reply) => void;
  /** What the hub would have answered. */
  readonly usual: Reply;
}

/** Answers in the hub's stead where the path fits, `times` times. */
export interface Rule {
  readonly path: RegExp;
  readonly times?: number;
  readonly answer: (exchange: Exchange) => void;
}

export interface HubContent {
  readonly files: ReadonlyMap<string, Buffer>;
  /** Files of at least so many bytes are LFS files: sha256, and a redirect to the storage server. */
  readonly lfsFromBytes?: number;
  readonly branches?: ReadonlyMap<string, string>;
  readonly pageSize?: number;
  readonly repo?: string;
  readonly kind?: 'models' | 'datasets';
  readonly rules?: readonly Rule[];
}

export interface LoopbackHub {
  readonly endpoint: string;
  readonly storage: string;
  /** What the hub was asked, and what the storage server was. */
  readonly asked: Asked[];
  readonly storageAsked: Asked[];
  readonly rules: Rule[];
}

export const gitOid = (bytes: Buffer) =>
  createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
export const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Bytes that differ from place to place. */
export function someBytes(length: number, seed = 1): Buffer {
  return Buffer.from(Uint8Array.from({ length }, (_, i) => (i * 31 + (i >> 8) * 7 + seed * 13) & 255));
}

/** A hub and its storage on two ports of this machine; both end with the test. */
export async function openHub(content: HubContent): Promise<LoopbackHub> {
  const rules = [...(content.rules ?? [])];
  const uses = new Map<Rule, number>();
  const [asked, storageAsked]: [Asked[], Asked[]] = [[], []];
  const handler = (log: Asked[], usual: (asked: Asked) => Reply) =>
    createServer((request, response) => {
      const one = askedOf(request);
      log.push(one);
      const send = (reply: Reply) => void response.writeHead(reply.status, reply.headers).end(reply.body);
      const path = decodeURIComponent(one.url.pathname);
      const rule = rules.find((other) => other.path.test(path) && (uses.get(other) ?? 0) < (other.times ?? 1e9));
      if (rule === undefined) return send(usual(one));
      uses.set(rule, (uses.get(rule) ?? 0) + 1);
      rule.answer({ ...one, response, send, usual: usual(one) });
    });
  const storage = await listening(handler(storageAsked, (one) => fromStorage(content, one)));
  const endpoint = await listening(handler(asked, (one) => fromHub(content, storage, one)));
  return { endpoint, storage, asked, storageAsked, rules };
}

/** A server on a free port; ends with the test. */
export async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function askedOf({ url, headers }: IncomingMessage): Asked {
  return {
    url: new URL(url ?? '/', `http://${headers.host}`),
    range: headers.range ?? null,
    authorization: headers.authorization ?? null,
  };
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

function jsonReply(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  const body = JSON.stringify(value);
  return { status, headers: { 'content-type': 'application/json; charset=utf-8', ...headers }, body };
}

const missing = (code: string) => jsonReply(404, { error: 'not there' }, { 'X-Error-Code': code });

function fromHub(content: HubContent, storage: string, asked: Asked): Reply {
  const { repo = 'org/name', kind = 'models' } = content;
  const path = asked.url.pathname;
  const api = `/api/${kind}/${repo}`;
  const page = `${kind === 'datasets' ? '/datasets' : ''}/${repo}/resolve/`;
  if (path.startsWith(`${api}/revision/`)) {
    const revision = decodeURIComponent(path.slice(`${api}/revision/`.length));
    const sha = new Map([['main', commit], ...(content.branches ?? [])]).get(revision);
    return sha === undefined ? missing('RevisionNotFound') : jsonReply(200, { id: repo, sha });
  }
  if (path.startsWith(`${api}/tree/`)) return pageOf(content, asked);
  if (!path.startsWith(page)) return missing('RepoNotFound');
  const [, ...parts] = path.slice(page.length).split('/');
  const bytes = content.files.get(parts.map(decodeURIComponent).join('/'));
  if (bytes === undefined) return missing('EntryNotFound');
  if (!isLfs(content, bytes)) return bytesReply(asked, bytes);
  const headers = { location: `${storage}/${sha256(bytes)}`, 'x-linked-etag': `"${sha256(bytes)}"` };
  return { status: 302, headers };
}

function pageOf(content: HubContent, { url }: Asked): Reply {
  const entries = [...content.files].map(([path, bytes]) => listed(content, path, bytes));
  const start = Number(url.searchParams.get('cursor') ?? 0);
  const end = start + (content.pageSize ?? 1000);
  const next = `<${url.origin}${url.pathname}?recursive=true&cursor=${end}>; rel="next"`;
  return jsonReply(200, entries.slice(start, end), end < entries.length ? { link: next } : {});
}

const isLfs = (content: Pick<HubContent, 'lfsFromBytes'>, bytes: Buffer) =>
  bytes.length >= (content.lfsFromBytes ?? 1000);

/** An entry of the hub's listing. */
export function listed(content: Pick<HubContent, 'lfsFromBytes'>, path: string, bytes: Buffer) {
  const lfs = isLfs(content, bytes) ? { lfs: { oid: sha256(bytes), size: bytes.length, pointerSize: 132 } } : {};
  return { type: 'file', oid: gitOid(bytes), size: bytes.length, path, ...lfs };
}

function fromStorage(content: HubContent, asked: Asked): Reply {
  const bytes = [...content.files.values()].find((one) => sha256(one) === asked.url.pathname.slice(1));
  return bytes === undefined ? { status: 404 } : bytesReply(asked, bytes);
}

/** The bytes, or the rest of them that the range asks for. */
function bytesReply({ range }: Pick<Asked, 'range'>, bytes: Buffer): Reply {
  const start = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? Number.NaN);
  if (Number.isNaN(start)) return { status: 200, headers: { 'content-length': String(bytes.length) }, body: bytes };
  if (start >= bytes.length) return { status: 416, headers: { 'content-range': `bytes */${bytes.length}` } };
  const body = bytes.subarray(start);
  const range206 = `bytes ${start}-${bytes.length - 1}/${bytes.length}`;
  return { status: 206, headers: { 'content-length': String(body.length), 'content-range': range206 }, body };
}

/** Sends the first bytes under the full length, then breaks the connection off. */
export function cutAfter(response: ServerResponse, bytes: Buffer, count: number): void {
  response.writeHead(200, { 'content-length': String(bytes.length) });
  response.write(bytes.subarray(0, count), () => setImmediate(() => response.destroy()));
}
