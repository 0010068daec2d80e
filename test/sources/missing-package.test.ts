import { expect, it, vi } from 'vitest';
import { bindSource, sources } from '../../tasks/sources/index.js';
import { taskSpecs } from '../../tasks/specs/index.js';
import { collect } from './collect.js';

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const existsSync = (path: string): boolean => !/cwe-sdk|acorn|ramda/.test(path) && fs.existsSync(path);
  return { ...fs, existsSync };
});

it('a source whose package is not installed is known, and says how to install it when it is read', async () => {
  const cwe = bindSource('npm:cwe');
  const failure = { code: 'missing', message: expect.stringContaining('`npm install --save-dev cwe-sdk@1.1.19`') };
  await expect(collect(cwe.docs())).rejects.toMatchObject(failure);
  await expect(cwe.revision()).rejects.toMatchObject(failure);
});

it('one command installs all that is missing', async () => {
  await expect(collect(bindSource('npm:jsfn-ramda').queries())).rejects.toThrow(
    'not installed: ramda, acorn. Run `npm install --save-dev ramda@0.32.0 acorn@8.19.0` in your project.',
  );
});

it('what is needed is told without an error, and tasks are listed', () => {
  expect(sources.get('cwe').needs()).toEqual([{ name: 'cwe-sdk', version: '1.1.19', installed: null }]);
  expect(taskSpecs.some(({ source }) => source === 'npm:cwe')).toBe(true);
});
