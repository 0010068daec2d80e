import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

export interface ChatBody {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly max_tokens: number;
  readonly temperature: number;
  readonly seed: number;
  readonly logprobs?: boolean;
  readonly top_logprobs?: number;
  /** Of `/completions`. */
  readonly prompt?: string;
}

export interface Seen {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: ChatBody;
}

export type Respond = (seen: Seen, response: ServerResponse, nth: number) => void;

export interface ChatServer {
  /** Ends in /v1. */
  readonly baseUrl: string;
  readonly seen: readonly Seen[];
  /** The most requests that were being answered at once. */
  readonly peak: () => number;
}

/** A server on this machine, closed when the test ends. */
export async function chatServer(respond: Respond): Promise<ChatServer> {
  const seen: Seen[] = [];
  let open = 0;
  let peak = 0;
  const server = createServer(async (request, response) => {
    peak = Math.max(peak, ++open);
    response.on('close', () => open--);
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = JSON.parse(Buffer.concat(pieces).toString() || '{}') as ChatBody;
    seen.push({ path: request.url ?? '', headers: request.headers, body });
    respond(seen[seen.length - 1], response, seen.length - 1);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return { baseUrl: `http://127.0.0.1:${address.port}/v1`, seen, peak: () => peak };
}

export function sendJson(response: ServerResponse, json: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(json));
}

/** An answer as OpenAI writes it; prompts count a token for every four characters. */
export function sendContent(seen: Seen, response: ServerResponse, content: string | null, chances?: Chances): void {
  const logprobs =
    chances === undefined ? null : { content: [{ token: '', logprob: 0, top_logprobs: listed(chances) }] };
  sendJson(response, {
    id: 'chatcmpl-1',
    model: `${seen.body.model}-2026-01-01`,
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content }, logprobs }],
    usage: { prompt_tokens: promptTokens(seen), completion_tokens: 2, total_tokens: 0 },
  });
}

export type Chances = Readonly<Record<string, number>>;

const listed = (chances: Chances) =>
  Object.entries(chances).map(([token, logprob]) => ({ token, logprob, bytes: null }));

export function promptTokens({ body }: Seen): number {
  return Math.ceil(body.messages.reduce((sum, { content }) => sum + content.length, 0) / 4);
}

/** Relevances that the passages of a prompt hold, as `relevance=7`, in the order shown. */
export function relevances({ body }: Seen): number[] {
  const text = body.messages.map(({ content }) => content).join('\n');
  return [...text.matchAll(/relevance=(\d+)/g)].map((match) => Number(match[1]));
}

/** Answers every question rightly, by what the passages say of themselves; of equal ones it takes the first. */
export function perfectAnswer(seen: Seen): { readonly content: string; readonly chances: Chances } {
  const shown = relevances(seen);
  const bestFirst = shown.map((_, i) => i).sort((a, b) => shown[b] - shown[a] || a - b);
  const letter = (place: number) => String.fromCharCode(65 + place);
  const system = seen.body.messages[0].content;
  const chances = Object.fromEntries(shown.map((relevance, place) => [letter(place), relevance / 10 - 12]));
  if (system.includes('Yes or No')) {
    // The probe's passage says nothing of itself; it is relevant.
    const relevance = shown.at(0) ?? 9;
    return { content: relevance >= 5 ? 'Yes' : 'No', chances: { Yes: (relevance - 20) / 4, No: -relevance / 4 - 1 } };
  }
  if (shown.length === 0) return { content: 'A', chances: { A: -0.2, B: -2 } };
  if (system.includes('Passage A')) return { content: `Passage ${letter(bestFirst[0])}`, chances };
  if (system.includes('letter')) return { content: letter(bestFirst[0]), chances };
  return { content: bestFirst.map((place) => `[${place + 1}]`).join(' > '), chances };
}

/** Gives log-probabilities where they are asked for. */
export const perfect: Respond = (seen, response) => {
  const { content, chances } = perfectAnswer(seen);
  sendContent(seen, response, content, seen.body.logprobs === true ? chances : undefined);
};

/** An error in OpenAI's form. */
export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Respond =>
  (_, response) => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ error: { message: `no, ${code}` } }));
  };
