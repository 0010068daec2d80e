import { isAbsolute, join, relative } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { checkRepo, checkRevision, fileUrl, isCommit, pathFault, repoFolderName } from '../../runners/hub/names.js';

describe('repositories', () => {
  // The examples of `validate_repo_id` in Python's library, and the edges of its lengths.
  it.each(['foo', 'foo/bar', '123', 'Foo-BAR_foo.bar123', 'a/b', 'x'.repeat(96), `o/${'x'.repeat(96)}`])(
    '%j',
    (name) => {
      expect(() => checkRepo(name)).not.toThrow();
    },
  );

  it.each([
    '',
    '/',
    'a/',
    '/a',
    'datasets/foo/bar',
    '.repo_id',
    'foo--bar',
    'foo..bar',
    'foo.git',
    '-foo',
    'foo-',
    'foo/.bar',
    'foo bar',
    'café',
    '../..',
    'a\\b',
    'a/b\n',
    'a%2fb',
    'x'.repeat(97),
    `o/${'x'.repeat(97)}`,
  ])('%j is refused', (name) => {
    expect(() => checkRepo(name)).toThrow('This is not the name of a repository on the hub');
  });
});

describe('revisions', () => {
  it.each(['main', 'v1.0', 'refs/pr/1', 'feature/ünï', 'a'.repeat(40), 'abc123'])('%j', (revision) => {
    expect(() => checkRevision(revision)).not.toThrow();
  });

  it.each([
    '',
    '..',
    '../x',
    'a/../b',
    'a//b',
    '/a',
    'a/',
    '.hidden',
    'a b',
    'a\\b',
    'a\0',
    'a:b',
    '~a',
    'x'.repeat(201),
  ])('%j is refused', (revision) => {
    expect(() => checkRevision(revision)).toThrow('This is not a revision');
  });

  it('are commits when they are 40 small hex digits', () => {
    expect(isCommit('0123456789abcdef0123456789abcdef01234567')).toBe(true);
    for (const other of ['main', 'a'.repeat(39), 'a'.repeat(41), 'A'.repeat(40), `${'a'.repeat(40)}\n`]) {
      expect(isCommit(other)).toBe(false);
    }
  });
});

describe('paths of a listing', () => {
  it.each([
    'a',
    'a/b/c.txt',
    'dir with space/ü#1.txt',
    '.gitattributes',
    '...',
    'a..b',
    '~',
    '__proto__',
    'x'.repeat(255),
  ])('%j is taken', (path) => {
    expect(pathFault(path)).toBeNull();
  });

  it.each([
    ['', 'empty part'],
    ['/etc/passwd', 'absolute'],
    ['a//b', 'empty part'],
    ['a/', 'empty part'],
    ['..', 'leads elsewhere'],
    ['a/../../b', 'leads elsewhere'],
    ['./a', 'leads elsewhere'],
    ['a\\b', 'backslash'],
    ['..\\a', 'backslash'],
    ['a\0b', 'control character'],
    ['a\nb', 'control character'],
    ['a\ud800', 'surrogate'],
    ['C:/x', 'drive'],
    ['a/D:x', 'drive'],
    ['x'.repeat(256), 'too long'],
    ['é'.repeat(128), 'too long'],
    [Array(600).fill('a').join('/'), 'too long'],
  ])('%j is refused', (path, why) => {
    expect(pathFault(path)).toContain(why);
  });

  test('what is taken stays below the snapshot, on disk and in the address', () => {
    const part = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('..', '.', '', 'a', '%2e%2e', '#', '?', 'C:'),
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
        const path = parts.join('/');
        if (pathFault(path) !== null) return;
        const below = relative('/cache/snapshots/x', join('/cache/snapshots/x', ...path.split('/')));
        expect(below.startsWith('..') && !below.startsWith('...') && below.split('/')[0] === '..').toBe(false);
        expect(isAbsolute(below)).toBe(false);
        const url = new URL(fileUrl('https://hub', { kind: 'model', name: 'o/n' }, { commit: 'c', path }));
        expect(url.search + url.hash).toBe('');
        expect(decodeURIComponent(url.pathname)).toBe(`/o/n/resolve/c/${path}`);
      }),
    );
  });
});

test('a repository has one folder, and its files have addresses with each part encoded by itself', () => {
  expect(repoFolderName({ kind: 'model', name: 'org/name' })).toBe('models--org--name');
  expect(repoFolderName({ kind: 'model', name: 'gpt2' })).toBe('models--gpt2');
  expect(repoFolderName({ kind: 'dataset', name: 'org/name' })).toBe('datasets--org--name');
  const at = { commit: 'c', path: 'dir with space/ü#1.txt' };
  expect(fileUrl('https://hub', { kind: 'model', name: 'o/n' }, at)).toBe(
    'https://hub/o/n/resolve/c/dir%20with%20space/%C3%BC%231.txt',
  );
  expect(fileUrl('https://hub', { kind: 'dataset', name: 'o/n' }, at)).toContain('https://hub/datasets/o/n/resolve/c/');
});
