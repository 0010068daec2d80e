import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { commit, type Exchange, listening, openHub, someBytes } from './loopback-hub.js';
import { fetchAll, settingsFor, steered, token } from './steered.js';

const large = someBytes(3000);
const files = new Map([['model.onnx', large]]);

describe('redirects', () => {
  test('to another origin go without the token; the endpoint gets it', async () => {
    const hub = await openHub({ files });
    await fetchAll(settingsFor(hub, { HF_TOKEN: token }));
    expect(hub.asked).toHaveLength(3);
    expect(hub.asked.every(({ authorization }) => authorization === `Bearer ${token}`)).toBe(true);
    expect(hub.storageAsked.map(({ authorization }) => authorization)).toEqual([null]);
  });

  test('back to the endpoint do not bring the token back', async () => {
    const hub = await openHub({ files });
    const back = createServer((_, response) => {
      response.writeHead(302, { location: `${hub.endpoint}/landing` }).end();
    });
    const elsewhere = await listening(back);
    hub.rules.push({ path: /resolve/, answer: ({ send }) => send({ status: 307, headers: { location: elsewhere } }) });
    hub.rules.push({ path: /landing/, answer: ({ send }) => send({ status: 200, body: large }) });
    await fetchAll(settingsFor(hub, { HF_TOKEN: token }));
    expect(
      hub.asked.filter(({ url }) => url.pathname === '/landing').map(({ authorization }) => authorization),
    ).toEqual([null]);
  });

  test('within the endpoint keep the token (a renamed repository)', async () => {
    const hub = await openHub({ files, repo: 'new/name' });
    const moved = ({ url, send }: Exchange) =>
      send({ status: 307, headers: { location: url.href.slice(url.origin.length).replace('org/name', 'new/name') } });
    hub.rules.push({ path: /org\/name/, answer: moved });
    const { commit: found } = await fetchAll(settingsFor(hub, { HF_TOKEN: token }));
    expect(found).toBe(commit);
    expect(hub.asked.every(({ authorization }) => authorization === `Bearer ${token}`)).toBe(true);
  });

  test('of a page of the listing to another origin go without the token too', async () => {
    const hub = await openHub({ files });
    const other = await openHub({ files });
    const link = `<${other.endpoint}/api/models/org/name/tree/${commit}>; rel="next"`;
    hub.rules.push({ path: /\/tree\//, answer: ({ send }) => send({ status: 200, headers: { link }, body: '[]' }) });
    await fetchAll(settingsFor(hub, { HF_TOKEN: token }));
    expect(other.asked.map(({ authorization }) => authorization)).toEqual([null]);
  });

  test.each([
    ['in a circle', '/api/models/org/name/revision/main', 'more than 5 in a row'],
    ['to nowhere', '', 'it leads to no address on the web'],
    ['to a file', 'file:///etc/passwd', 'it leads to no address on the web'],
    ['with a name and a password', 'http://ann:geheim@127.0.0.1/', 'it leads to no address on the web'],
  ])('%s are refused', async (_, location, why) => {
    const hub = await openHub({ files });
    hub.rules.push({ path: /revision/, answer: ({ send }) => send({ status: 302, headers: { location } }) });
    const error = await fetchAll(settingsFor(hub)).catch(String);
    expect(error).toContain(`A redirect of the hub is not followed (${why})`);
    expect(error).not.toContain('geheim');
    expect(hub.asked.length).toBeLessThanOrEqual(6);
  });

  test.each([
    ['http://elsewhere.example/x', 'from https to http, at elsewhere.example'],
    ['http://localhost.example/x', 'from https to http, at localhost.example'],
  ])('from https to %s are refused', async (location, why) => {
    const outside = steered({ fetch: async () => new Response(null, { status: 302, headers: { location } }) });
    const settings = settingsFor({ endpoint: 'https://hub.example' }, { HF_TOKEN: token });
    await expect(fetchAll(settings, {}, outside)).rejects.toThrow(why);
  });

  test.each(['localhost', '127.0.0.1', '[::1]'])('from https to %s are followed: it is this machine', async (host) => {
    const seen: string[] = [];
    const outside = steered({
      fetch: async (url, { headers }) => {
        seen.push(`${new URL(url).host} ${headers.authorization ?? 'without'}`);
        const location = `http://${host}/x`;
        return seen.length === 1 ? new Response(null, { status: 302, headers: { location } }) : new Response('{}');
      },
    });
    const settings = settingsFor({ endpoint: 'https://hub.example' }, { HF_TOKEN: token });
    await expect(fetchAll(settings, {}, outside)).rejects.toThrow('This does not answer as a hub does');
    expect(seen).toEqual([`hub.example Bearer ${token}`, `${host} without`]);
  });
});
