import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { TenbinError } from '../../core/errors.js';
import type { HubOutside } from '../../runners/hub/index.js';
import { type Exchange, gitOid, openHub, type Reply, sha256, someBytes } from './loopback-hub.js';
import { everythingIn, fetchAll, namesIn, settingsFor, steered, token } from './steered.js';

const files = new Map([
  ['config.json', Buffer.from('{}')],
  ['model.onnx', someBytes(3000)],
]);

interface Case {
  readonly name: string;
  readonly path?: RegExp;
  /** What the hub answers in place of the usual; the token that it got is given to it. */
  readonly answer?: (authorization: string, exchange: Exchange) => Reply;
  readonly outside?: Partial<HubOutside>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly code: TenbinError['code'];
  /** In the message, with and without a token. */
  readonly says: readonly [string, string];
}

const error = (status: number, code: string | null) => (authorization: string) => ({
  status,
  headers: { 'x-error-message': `no access with ${authorization}`, ...(code === null ? {} : { 'x-error-code': code }) },
  body: JSON.stringify({ error: `denied for ${authorization}` }),
});
const both = (text: string) => [text, text] as const;
const gated = 'This repository is gated: the hub gives it only to accounts that accepted its conditions: org/name.';
const noFetch = (code: string) => () =>
  Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error(token), { code }) }));

const cases: readonly Case[] = [
  {
    name: 'gated, 401 for a file',
    path: /resolve/,
    answer: error(401, 'GatedRepo'),
    code: 'refused',
    says: [`${gated} Accept them at`, `${gated} Accept them at`],
  },
  {
    name: 'gated, 403 for the revision',
    path: /revision/,
    answer: error(403, 'GatedRepo'),
    code: 'refused',
    says: ['use the account that HF_TOKEN belongs to', 'set HF_TOKEN to a token of that account'],
  },
  {
    name: 'no repository, 404',
    path: /revision/,
    answer: error(404, 'RepoNotFound'),
    code: 'missing',
    says: [
      'The hub has no such repository (model): org/name. Check the spelling; if it is private, use a token',
      'The hub has no such repository (model): org/name. Check the spelling; if it is private, set HF_TOKEN',
    ],
  },
  {
    name: 'no repository, 401 as for the nameless',
    path: /revision/,
    answer: error(401, 'RepoNotFound'),
    code: 'missing',
    says: both('The hub has no such repository (model): org/name.'),
  },
  {
    name: 'no revision',
    path: /revision/,
    answer: error(404, 'RevisionNotFound'),
    code: 'missing',
    says: both('The repository has no such revision: org/name@main. Name a branch, a tag or a commit'),
  },
  {
    name: 'no revision in the listing',
    path: /tree/,
    answer: error(404, 'RevisionNotFound'),
    code: 'missing',
    says: both('The repository has no such revision: org/name@main.'),
  },
  {
    name: '404 without a reason',
    path: /revision/,
    answer: error(404, null),
    code: 'missing',
    says: both('The hub has no such repository or revision (model): org/name@main.'),
  },
  {
    name: 'no file',
    path: /resolve.*onnx/,
    answer: error(404, 'EntryNotFound'),
    code: 'missing',
    says: both('The repository has no such file: model.onnx in org/name@main. Look at http'),
  },
  {
    name: 'no file, without a reason',
    path: /resolve.*onnx/,
    answer: error(404, null),
    code: 'missing',
    says: both('The repository has no such file: model.onnx in org/name@main.'),
  },
  {
    name: '401 without a reason',
    path: /revision/,
    answer: error(401, null),
    code: 'refused',
    says: ['The hub does not accept the token (401): org/name.', 'The hub wants a token for this repository (401)'],
  },
  {
    name: '403 without a reason',
    path: /tree/,
    answer: error(403, null),
    code: 'refused',
    says: both('The hub refuses this repository (403): org/name.'),
  },
  {
    name: 'rate-limited',
    path: /revision/,
    answer: error(429, null),
    code: 'io',
    says: ['(429): org/name@main. Run the command again in a few minutes.', 'With HF_TOKEN set the hub allows more.'],
  },
  {
    name: 'a fault of the hub',
    path: /revision/,
    answer: error(502, null),
    code: 'io',
    says: both('The hub has a fault of its own (502), again and again: org/name@main.'),
  },
  {
    name: 'a status that is not known',
    path: /revision/,
    answer: error(418, null),
    code: 'io',
    says: both('The hub gave an answer that is not understood (418): org/name@main.'),
  },
  {
    name: 'HTML instead of JSON',
    path: /revision/,
    answer: (authorization) => ({ status: 200, body: `<!DOCTYPE html>${authorization}` }),
    code: 'malformed',
    says: both('This does not answer as a hub does (an object with `sha` was expected, not HTML)'),
  },
  {
    name: 'other JSON for the listing',
    path: /tree/,
    answer: (authorization) => ({ status: 200, body: JSON.stringify({ authorization }) }),
    code: 'malformed',
    says: both('(a list was expected, not other JSON)'),
  },
  {
    name: 'a commit that is none',
    path: /revision/,
    answer: (authorization) => ({ status: 200, body: JSON.stringify({ sha: authorization }) }),
    code: 'malformed',
    says: both('(`sha` is not a commit)'),
  },
  {
    name: 'pages in a circle',
    path: /tree/,
    answer: (_, { url }) => ({ status: 200, headers: { link: `<${url.href}>; rel="next"` }, body: '[]' }),
    code: 'malformed',
    says: both('(pages without end)'),
  },
  {
    name: 'a damaged file',
    path: new RegExp(sha256(someBytes(3000))),
    answer: () => ({ status: 200, body: someBytes(3000, 2) }),
    code: 'damaged',
    says: both('The downloaded file is damaged (its sha256 is not '),
  },
  {
    name: 'a damaged small file',
    path: /resolve.*json/,
    answer: () => ({ status: 200, body: '[]' }),
    code: 'damaged',
    says: both(`(its git-sha1 is not ${gitOid(Buffer.from('{}')).slice(0, 12)}…): config.json of org/name@main.`),
  },
  {
    name: 'a file named by the token',
    path: /tree/,
    answer: (authorization) => ({ status: 200, body: JSON.stringify([{ type: 'file', path: `../${authorization}` }]) }),
    code: 'malformed',
    says: both("The hub's list of files is not used: field `size`"),
  },
  {
    name: 'a redirect with the token in its host',
    path: /revision/,
    answer: (authorization) => ({ status: 302, headers: { location: `ftp://${authorization.slice(7)}.example/` } }),
    code: 'refused',
    says: both('A redirect of the hub is not followed (it leads to no address on the web)'),
  },
  {
    name: 'no such host',
    outside: { fetch: noFetch('ENOTFOUND') },
    code: 'io',
    says: both('The hub cannot be reached (ENOTFOUND)'),
  },
  {
    name: 'a broken connection without a word',
    outside: { fetch: noFetch(token) },
    code: 'io',
    says: both('The hub cannot be reached (no connection)'),
  },
  {
    name: 'offline without a cache',
    environment: { HF_HUB_OFFLINE: '1' },
    code: 'missing',
    says: both('HF_HUB_OFFLINE is set, and the cache does not have all that is needed: org/name@main.'),
  },
];

describe.each(['with', 'without'] as const)('%s a token', (having) => {
  const printed: MockInstance[] = [];
  beforeEach(() => {
    for (const stream of [process.stdout, process.stderr]) printed.push(vi.spyOn(stream, 'write'));
    for (const method of ['debug', 'error', 'info', 'log', 'warn'] as const) printed.push(vi.spyOn(console, method));
  });
  afterEach(() => {
    vi.restoreAllMocks();
    printed.length = 0;
  });

  it.each(cases)('$name', async ({ path = /^$/, answer, outside, environment, code, says }) => {
    const hub = await openHub({ files });
    hub.rules.push({
      path,
      answer: (one) => one.send(answer?.(one.authorization ?? 'nobody', one) ?? one.usual),
    });
    const settings = settingsFor(hub, { ...(having === 'with' ? { HF_TOKEN: token } : {}), ...environment });
    const said: unknown[] = [];
    const listeners = { onNote: (text: string) => said.push(text), onProgress: (step: unknown) => said.push(step) };
    const thrown = await fetchAll(settings, listeners, steered(outside)).catch((caught: unknown) => caught);
    expect(thrown).toBeInstanceOf(TenbinError);
    expect((thrown as TenbinError).code).toBe(code);
    expect(String(thrown)).toContain(says[having === 'with' ? 0 : 1]);
    const calls = printed.flatMap(({ mock }) => mock.calls);
    const outputs = [
      inspect(thrown, { depth: 9 }),
      (thrown as Error).stack,
      inspect([said, calls, settings], { depth: 9 }),
    ];
    for (const output of [...outputs, everythingIn(settings.cacheFolder)]) expect(output).not.toContain(token);
    expect(namesIn(settings, 'refs')).toEqual([]);
  });
});
