import type { ModelRow } from './model-rows.js';

const indent = '  ';

/** Models for a terminal that is too narrow for a table of them: a line of names, and below it what is said of it. */
export function narrowModels(rows: readonly ModelRow[], columns: number): string {
  return rows.map((row) => [headOf(row), ...linesOf(row, columns)].join('\n')).join('\n');
}

function headOf({ id, family, licence, verified }: ModelRow): string {
  return [id, family, licence, ...(verified ? ['verified'] : [])].join(', ');
}

function linesOf({ summary, needs }: ModelRow, columns: number): readonly string[] {
  const texts = needs === null ? [summary] : [summary, `needs ${needs}`];
  return texts.flatMap((text) => wrapped(text, Math.max(20, columns - indent.length)).map((line) => indent + line));
}

/** Lines of at most `width` characters, broken at blanks; a longer word has a line of its own. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
