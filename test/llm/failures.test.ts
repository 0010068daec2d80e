import { describe, expect, it } from 'vitest';
import { chatServer, perfect, type Respond, sendJson, status } from './chat-server.js';
import { errorOf, key, open, openRanker, passages } from './opened.js';

const documents = passages([1, 5, 3, 4]);

/** The first `times` requests are answered so, the others rightly. */
const first =
  (times: number, respond: Respond): Respond =>
  (seen, response, nth) =>
    (nth < times ? respond : perfect)(seen, response, nth);

describe('failures that pass', () => {
  const rank = async (respond: Respond, answerBytes?: number) => {
    const server = await chatServer(respond);
    const opened = await openRanker(
      server.baseUrl,
      'listwise.generation',
      answerBytes === undefined ? {} : { answerBytes },
    );
    const { order, work } = await opened.model.rank('which?', documents, 4);
    expect(order).toEqual([1, 3, 2, 0]);
    // Tries are no calls: one prompt was answered.
    expect(work.calls).toBe(1);
    return { ...opened, server };
  };

  it('429 is tried again after the pause that the service asks for', async () => {
    const { waitedMs, lines } = await rank(first(1, status(429, { 'retry-after': '7' })));
    expect(waitedMs).toEqual([7000]);
    expect(lines()).toHaveLength(1);
    expect(lines()[0]).toMatchObject({ attempts: 2, outcome: 'clean' });
  });

  it('413 with a pause is about the load', async () => {
    expect((await rank(first(1, status(413, { 'retry-after': '2' })))).waitedMs).toEqual([2000]);
  });

  it('500 twice is tried again with growing pauses', async () => {
    const { waitedMs, lines } = await rank(first(2, status(500)));
    expect(waitedMs).toHaveLength(2);
    expect(waitedMs[1]).toBeGreaterThan(waitedMs[0]);
    expect(lines()[0].attempts).toBe(3);
  });

  it('a lost connection is tried again, before or inside the answer', async () => {
    await rank(first(1, (_, response) => response.destroy()));
    await rank(
      first(1, (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
        response.write('{"choices":', () => response.destroy());
      }),
    );
  });

  it('a service that never answers is tried again when the time is over', async () => {
    let expire = () => {};
    const server = await chatServer(first(1, () => expire()));
    const opened = await openRanker(server.baseUrl, 'listwise.generation');
    expire = opened.expire;
    expect((await opened.model.rank('which?', documents, 4)).order).toEqual([1, 3, 2, 0]);
    expect(opened.lines()[0].attempts).toBe(2);
  });
});

describe('failures that stay', () => {
  const failing = async (respond: Respond, answerBytes = 1_000_000) => {
    const server = await chatServer(respond);
    const opened = await openRanker(server.baseUrl, 'listwise.generation', { answerBytes });
    const error = await errorOf(opened.model.rank('which?', documents, 4));
    await opened.model.close();
    const lines = opened.lines();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ outcome: 'failed', answer: null, attempts: null });
    expect(lines[0].error).toContain(error.parts.what);
    return { error, server, ...opened };
  };

  it('429 for ever ends', async () => {
    const { error, server } = await failing(status(429, { 'retry-after': '1' }));
    expect(error.message).toContain('429');
    expect(server.seen.length).toBeGreaterThan(2);
    expect(server.seen.length).toBeLessThan(10);
  });

  it.each([400, 401, 403, 404, 413, 422])('%i is not tried again', async (code) => {
    const { server, error } = await failing(status(code));
    expect(server.seen).toHaveLength(1);
    expect(error.message).toContain(`no, ${code}`);
  });

  it('an answer that never ends is not read to its end', async () => {
    const { error } = await failing((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = () => {
        while (response.writable && response.write(' '.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    });
    expect(error.message).toContain('more than 1000000 bytes');
  });

  it('a page for people is no answer', async () => {
    const { error } = await failing((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<html><body>Sign in</body></html>');
    });
    expect(error.code).toBe('malformed');
    expect(error.message).toContain('text/html');
  });

  it.each([
    ['a list', []],
    ['nothing', null],
    ['no choices', { id: 'x' }],
    ['choices of another kind', { choices: [{ message: { content: 7 } }] }],
    ['negative tokens', { choices: [], usage: { prompt_tokens: -1 } }],
  ])('%s is an error that names the field', async (_, json) => {
    const { error } = await failing((_seen, response) => sendJson(response, json));
    expect(error.code).toBe('malformed');
    expect(error.message).toMatch(/expected|Invalid|>=0/);
  });

  it('a redirect is not followed: the key goes to no other host', async () => {
    const other = await chatServer(perfect);
    for (const code of [301, 302, 303, 307, 308]) {
      const { error } = await failing(status(code, { location: `${other.baseUrl}/chat/completions` }));
      expect(error.message).toContain('points to another address');
    }
    expect(other.seen).toHaveLength(0);
  });

  it('nobody listens', async () => {
    const opened = await openRanker('http://127.0.0.1:9/v1', 'listwise.generation');
    expect((await errorOf(opened.model.rank('which?', documents, 4))).code).toBe('io');
  });
});

describe('the key', () => {
  it('is in no error and no line of the log, even where the service says it', async () => {
    const echo: Respond = ({ headers }, response) =>
      sendJson(response, { error: { message: `wrong: ${headers.authorization}`, code: key } }, 400);
    const inAnswer: Respond = (seen, response) => {
      const choice = { message: { content: `${key} ${encodeURIComponent(key)}` }, finish_reason: key };
      sendJson(response, {
        model: key,
        choices: [choice],
        usage: { prompt_tokens: 1, completion_tokens: seen.body.seed },
      });
    };
    const inHtml: Respond = ({ headers }, response) => response.end(`<p>${headers.authorization}</p>`);
    const inField: Respond = (_, response) =>
      sendJson(response, { choices: [{ message: { [key]: key, content: [key] } }] });
    const inLocation: Respond = (_, response) => {
      response.writeHead(302, { location: `http://elsewhere.example/${key}?k=${key}` });
      response.end();
    };
    for (const respond of [echo, inAnswer, inHtml, inField, inLocation]) {
      const server = await chatServer(respond);
      const { model, logText, notes } = await openRanker(server.baseUrl, 'listwise.generation');
      const thrown: unknown = await model.rank('which?', documents, 4).catch((error: unknown) => error);
      await model.close();
      expect(server.seen[0].headers.authorization).toContain(key);
      const told = [logText(), JSON.stringify(model.conditions), ...notes, ...everythingOf(thrown)].join('\n');
      expect(told).not.toContain(key);
      expect(logText().trimEnd().split('\n')).toHaveLength(1);
    }
  });

  it('that no header can carry is refused without showing it', async () => {
    for (const bad of ['sk-test 123', 'sk-\u00e9\u00e9', 'sk-a\nb']) {
      const error = await errorOf(
        open('http://127.0.0.1:9/v1', 'setwise.heapsort', { environment: { OPENAI_API_KEY: bad } }),
      );
      expect(everythingOf(error).join(' ')).not.toContain(bad);
      expect(error.message).toContain('OPENAI_API_KEY');
    }
  });

  it('is wanted at OpenAI itself, and not at a server of one’s own', async () => {
    const none = { OPENAI_API_KEY: '' };
    const error = await errorOf(open('', 'setwise.heapsort', { environment: none }));
    expect([error.code, error.message]).toEqual(['missing', expect.stringContaining('OPENAI_API_KEY')]);
    const server = await chatServer(perfect);
    const { model } = await openRanker(server.baseUrl, 'setwise.heapsort', { environment: none });
    await model.rank('which?', documents, 1);
    expect(server.seen[0].headers.authorization).toBeUndefined();
  });
});

describe('closing', () => {
  it('ends what is under way, writes its line, and asks nothing more', async () => {
    let arrived = () => {};
    const reached = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const server = await chatServer(() => arrived());
    const { model, lines } = await openRanker(server.baseUrl, 'setwise.heapsort');
    const ranking = errorOf(model.rank('which?', documents, 4));
    await reached;
    await model.close();
    expect((await ranking).message).toContain('was closed while a request was under way');
    expect(lines().map(({ outcome }) => outcome)).toEqual(['failed']);
    expect(server.seen).toHaveLength(1);
  });
});

/** All that printing an error could show, its causes included. */
function everythingOf(thrown: unknown): string[] {
  if (!(thrown instanceof Error)) return [JSON.stringify(thrown)];
  const parts = [thrown.message, thrown.stack ?? '', JSON.stringify(thrown)];
  return thrown.cause === undefined ? parts : [...parts, ...everythingOf(thrown.cause)];
}
