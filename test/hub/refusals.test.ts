import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import fc from 'fast-check';
import { describe, expect, it, test, vi } from 'vitest';
import { hubSettings } from '../../runners/hub/index.js';
import { listingLimits, parseListing } from '../../runners/hub/listing.js';
import { temporaryFolder } from '../small-nano.js';
import { commit, gitOid, listed, listening, openHub, sha256, someBytes } from './loopback-hub.js';
import { fetchAll, namesIn, settingsFor, steered, token } from './steered.js';

const files = new Map([
  ['config.json', Buffer.from('{}')],
  ['model.onnx', someBytes(3000)],
]);

describe('a hostile listing is refused whole, before anything is written', () => {
  const good = listed({}, 'config.json', Buffer.from('{}'));
  const lfs = listed({}, 'model.onnx', someBytes(3000));
  it.each<[string, unknown, string]>([
    ['leads out', { ...good, path: '../../escape' }, 'the path leads elsewhere'],
    ['leads out in the middle', { ...good, path: 'a/../../escape' }, 'the path leads elsewhere'],
    ['absolute', { ...good, path: '/etc/passwd' }, 'the path is absolute'],
    ['backslashes', { ...good, path: '..\\..\\escape' }, 'a backslash'],
    ['NUL', { ...good, path: 'config.json\0.txt' }, 'a control character'],
    ['a drive', { ...good, path: 'C:/windows' }, 'names a drive'],
    ['empty', { ...good, path: '' }, 'an empty part'],
    ['no text', { ...good, path: ['a'] }, 'field `path`'],
    ['listed twice', good, 'it is listed twice'],
    ['a file that is a folder', { ...good, path: 'config.json/x' }, '`config.json` is a file too'],
    ['a negative size', { ...good, path: 'x', size: -1 }, 'field `size`'],
    ['half a byte', { ...good, path: 'x', size: 0.5 }, 'field `size`'],
    ['an absurd size', { ...good, path: 'x', size: listingLimits.fileBytes + 1 }, 'field `size`'],
    ['a size beyond numbers', { ...good, path: 'x', size: 1e300 }, 'field `size`'],
    ['a size in words', { ...good, path: 'x', size: '2' }, 'field `size`'],
    ['a negative LFS size', { ...lfs, path: 'x', lfs: { ...lfs.lfs, size: -1 } }, 'field `lfs.size`'],
    ['a short sha1', { ...good, path: 'x', oid: 'abc' }, 'field `oid`: is not a sha1 in hex'],
    ['a path for a sha1', { ...good, path: 'x', oid: '../'.repeat(14).slice(0, 40) }, 'field `oid`'],
    ['a sha256 where a sha1 belongs', { ...good, path: 'x', oid: 'a'.repeat(64) }, 'field `oid`'],
    ['capitals', { ...good, path: 'x', oid: 'A'.repeat(40) }, 'field `oid`'],
    ['no digest', { type: 'file', path: 'x', size: 2 }, 'field `oid`'],
    [
      'a path for a sha256',
      { ...lfs, path: 'x', lfs: { oid: '../../x', size: 1 } },
      'field `lfs.oid`: is not a sha256 in hex',
    ],
    ['one digest with two sizes', { ...good, path: 'x', size: 3 }, 'its digest has two sizes'],
  ])('%s', async (_, entry, why) => {
    const hub = await openHub({ files });
    hub.rules.push({ path: /tree/, answer: ({ send }) => send({ status: 200, body: JSON.stringify([good, entry]) }) });
    const settings = settingsFor(hub);
    const message = await fetchAll(settings, { files: (path) => path === 'config.json' }).catch(String);
    expect(message).toContain("The hub's list of files is not used:");
    expect(message).toContain(why);
    expect(message).toContain('org/name@main');
    expect(namesIn(settings, '.')).toEqual([]);
  });

  it('also one without end', async () => {
    const hub = await openHub({ files });
    const page = Array.from({ length: listingLimits.files + 1 }, (_, i) => ({ type: 'directory', path: `d${i}` }));
    hub.rules.push({ path: /tree/, answer: ({ send }) => send({ status: 200, body: JSON.stringify(page) }) });
    await expect(fetchAll(settingsFor(hub))).rejects.toThrow('it goes on after 100000 entries: org/name@main, its end');
  });

  it('also pages without files and without end', async () => {
    let pages = 0;
    const fetch = async () => {
      const link = `<http://127.0.0.1:1/api/models/org/name/tree/x?cursor=${++pages}>; rel="next"`;
      return new Response('[]', { headers: { link } });
    };
    const request = fetchAll(settingsFor({ endpoint: 'http://127.0.0.1:1' }), { revision: commit }, steered({ fetch }));
    await expect(request).rejects.toThrow('This does not answer as a hub does (pages without end)');
    expect(pages).toBe(2000);
  });

  it('also a page without end', async () => {
    const megabyte = new Uint8Array(1 << 20).fill(32);
    const body = () => new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(megabyte) });
    const outside = steered({ fetch: async () => new Response(body()) });
    const request = fetchAll(settingsFor({ endpoint: 'http://127.0.0.1:1' }), {}, outside);
    await expect(request).rejects.toThrow('This does not answer as a hub does (an answer without end)');
  });

  it('names are printed on one line', async () => {
    const hub = await openHub({ files });
    const entry = { ...good, path: 'a\n\u001b[31m\u202e' };
    hub.rules.push({ path: /tree/, answer: ({ send }) => send({ status: 200, body: JSON.stringify([entry]) }) });
    const message = await fetchAll(settingsFor(hub)).catch(String);
    expect(message).toContain('`a\\x0a\\x1b[31m\\u{202e}`');
  });
});

describe('parsing', () => {
  it('keeps files only, and what is said of xet', () => {
    const bytes = someBytes(3000);
    const entry = { ...listed({}, 'm', bytes), xetHash: 'c'.repeat(64) };
    const parsed = parseListing([{ type: 'directory', path: 'onnx' }, null, 7, entry, { type: 'unknown', path: '..' }]);
    const hash = { algorithm: 'sha256', hex: sha256(bytes) };
    expect(parsed).toEqual([{ path: 'm', sizeBytes: 3000, hash, gitOid: gitOid(bytes), xetHash: 'c'.repeat(64) }]);
  });

  it('takes the size of the LFS file, not of the pointer that git has in its place', () => {
    const parsed = parseListing([{ ...listed({}, 'm', someBytes(3000)), size: 132 }]);
    expect(parsed).toMatchObject([{ sizeBytes: 3000 }]);
  });

  it('takes names that are special to JavaScript', () => {
    const names = ['__proto__', 'constructor', 'toString'];
    const parsed = parseListing(names.map((path) => listed({}, path, Buffer.from('x'))));
    expect(Array.isArray(parsed) && parsed.map(({ path }) => path)).toEqual(names);
  });

  test('any value gives files or a reason, and never throws', () => {
    const entry = fc.oneof(
      fc.jsonValue(),
      fc.record({ type: fc.constant('file'), path: fc.jsonValue(), size: fc.jsonValue(), oid: fc.jsonValue() }),
    );
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 5 }), (entries) => {
        const parsed = parseListing(entries);
        expect('why' in parsed ? typeof parsed.why : parsed.length).toSatisfy((x) => x === 'string' || x === 0);
      }),
    );
  });
});

test('a token in the names of a listing is taken out of the error', async () => {
  const hub = await openHub({ files });
  const entry = { type: 'file', path: `../${token}`, size: 1, oid: 'a'.repeat(40) };
  hub.rules.push({ path: /tree/, answer: ({ send }) => send({ status: 200, body: JSON.stringify([entry]) }) });
  const message = await fetchAll(settingsFor(hub, { HF_TOKEN: token })).catch(String);
  expect(message).toContain('the path leads elsewhere: org/name@main, entry 1, `../(the token)`');
});

test('a port where nothing listens is an error after three tries', async () => {
  const server = createServer();
  const endpoint = await listening(server);
  await new Promise((resolve) => server.close(resolve));
  const outside = steered();
  const settings = settingsFor({ endpoint });
  await expect(fetchAll(settings, {}, outside)).rejects.toThrow(
    `The hub cannot be reached (ECONNREFUSED): ${endpoint}`,
  );
  expect(outside.waitsMs).toEqual([375, 750]);
});

test('a required file that the repository does not have is named', async () => {
  const settings = settingsFor(await openHub({ files }));
  const wish = { files: () => true, required: ['config.json', 'onnx/model_q4.onnx'] };
  await expect(fetchAll(settings, wish)).rejects.toThrow(
    'The repository has no such file: onnx/model_q4.onnx in org/name@main.',
  );
  expect(namesIn(settings, '.')).toEqual([]);
});

test('a filter that wants nothing is an error', async () => {
  const settings = settingsFor(await openHub({ files }));
  await expect(fetchAll(settings, { files: () => false })).rejects.toThrow('none of the files that are wanted');
});

test.each([
  ['../..', 'main', 'This is not the name of a repository on the hub: ../..'],
  ['org/name', '../../x', 'This is not a revision: ../../x'],
])('%s at %s is refused before anything is done', async (repo, revision, message) => {
  const fetch = vi.fn();
  const settings = settingsFor({ endpoint: 'http://127.0.0.1:1' });
  await expect(fetchAll(settings, { repo, revision }, steered({ fetch }))).rejects.toThrow(message);
  expect(fetch).not.toHaveBeenCalled();
});

test('a cache that cannot be written is an error that names it', async () => {
  const hub = await openHub({ files });
  const settings = hubSettings({ HF_ENDPOINT: hub.endpoint, HF_HUB_CACHE: '/proc/tenbin-cache' });
  await expect(fetchAll(settings)).rejects.toThrow('/proc/tenbin-cache');
  const home = temporaryFolder();
  const inTheWay = hubSettings({ HF_ENDPOINT: hub.endpoint, HF_HUB_CACHE: `${home}/file/below` });
  writeFileSync(`${home}/file`, '');
  await expect(fetchAll(inTheWay)).rejects.toThrow('A file stands where a folder is wanted');
});
