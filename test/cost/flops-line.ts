import { expect } from 'vitest';
import { tenbinHere } from '../e2e/here.js';

export const flops = (...args: readonly string[]) => tenbinHere('flops', ...args);

/** The one JSON document that it prints, with nothing on stderr. */
export async function flopsJson(...args: readonly string[]) {
  const printed = await flops(...args, '--format', 'json');
  expect(printed.stderr).toBe('');
  expect(printed.code).toBe(0);
  return JSON.parse(printed.stdout);
}

export const sumOf = (parts: readonly { readonly flops: number }[]) =>
  parts.reduce((sum, { flops: value }) => sum + value, 0);
