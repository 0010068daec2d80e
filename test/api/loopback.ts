import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

/** A request as the server saw it. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** Parsed JSON; null without a body. */
  readonly body: unknown;
}

export type Reply =
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly json: unknown }
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly text: string }
  /** The connection breaks before the answer or in the middle of it; the answer stops in the middle or never comes. */
  | 'drop'
  | 'drop-midway'
  | 'stall-midway'
  | 'never';

export interface Loopback {
  readonly url: string;
  /** Host and port. */
  readonly host: string;
  readonly seen: readonly Seen[];
  /** The most requests that were being answered at once. */
  readonly peak: () => number;
  /** Stops listening; the port then refuses connections. */
  readonly close: () => Promise<void>;
}

/** A server on this machine. `reply` gets each request and how many came before it. */
export async function loopback(reply: (seen: Seen, nth: number) => Reply | Promise<Reply>): Promise<Loopback> {
  const seen: Seen[] = [];
  let open = 0;
  let peak = 0;
  const server = createServer(async (request, response) => {
    open++;
    peak = Math.max(peak, open);
    const one = await read(request);
    seen.push(one);
    const answer = await reply(one, seen.length - 1);
    open--;
    send(answer, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The loopback server has no port.');
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(close);
  const host = `127.0.0.1:${address.port}`;
  return { url: `http://${host}`, host, seen, peak: () => peak, close };
}

async function read(request: IncomingMessage): Promise<Seen> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    body: text === '' ? null : JSON.parse(text),
  };
}

function send(answer: Reply, response: ServerResponse): void {
  if (answer === 'never') return;
  if (answer === 'drop') {
    response.destroy();
    return;
  }
  if (answer === 'drop-midway' || answer === 'stall-midway') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"data": [', () => (answer === 'drop-midway' ? response.destroy() : undefined));
    return;
  }
  const { status = 200, headers = {} } = answer;
  const text = 'json' in answer ? JSON.stringify(answer.json) : answer.text;
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(text);
}
