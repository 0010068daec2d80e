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

/**
 * A table without colours or borders; numbers are right-aligned. On a terminal that is too narrow for it, its widest
 * column is wrapped; in a pipe a row stays a line.
 */
export function textTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const isNumeric = head.map((_, column) => rows.length > 0 && rows.every((row) => typeof row[column] === 'number'));
  const table = new Table({
    head: [...head],
    chars: { ...plainBorders, ...innerBorders },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colAligns: isNumeric.map((numeric) => (numeric ? 'right' : 'left')),
    ...wrapping([head, ...rows], process.stdout.columns),
  });
  table.push(...rows.map((row) => row.map(String)));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

type Cells = readonly (readonly (string | number)[])[];

/** Cells are measured in characters, near enough for where a line may break. */
function widthsOf(rows: Cells): readonly number[] {
  return rows[0]?.map((_, column) => Math.max(...rows.map((row) => String(row[column] ?? '').length))) ?? [];
}

/** Characters of a row of the table, its head included. */
export function tableWidth(rows: Cells): number {
  return widthsOf(rows).reduce((sum, width) => sum + width + 2, -2);
}

function wrapping(rows: Cells, columns: number | undefined) {
  const widths = widthsOf(rows);
  const total = tableWidth(rows);
  if (columns === undefined || total <= columns) return {};
  const widest = widths.indexOf(Math.max(...widths));
  const left = Math.max(20, (widths[widest] ?? 0) - (total - columns));
  return {
    colWidths: widths.map((_, column) => (column === widest ? left : null)),
    wordWrap: true,
    wrapOnWordBoundary: true,
  };
}
