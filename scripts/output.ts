import Table from 'cli-table3';
import type { Json } from '../core/canonical.js';

/** Results go to stdout, and nothing else does. */
export function printText(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

/** Exactly one JSON document: shortest round-trip numbers; what is undefined is null or left out. */
export function printJson(value: unknown): void {
  printText(JSON.stringify(value satisfies unknown as Json, null, 2));
}

/** Notes, warnings and progress go to stderr. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

const plainBorders = Object.fromEntries(
  ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right'].map((k) => [
    k,
    '',
  ]),
);
const innerBorders = { left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: '  ' };

/** A table without colours or borders; numbers are right-aligned. */
export function textTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const isNumeric = head.map((_, column) => rows.length > 0 && rows.every((row) => typeof row[column] === 'number'));
  const table = new Table({
    head: [...head],
    chars: { ...plainBorders, ...innerBorders },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colAligns: isNumeric.map((numeric) => (numeric ? 'right' : 'left')),
  });
  table.push(...rows.map((row) => row.map(String)));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
