/** A part of a text whose lines may be left out from the end; its frame stays. */
export interface Section {
  readonly open: readonly string[];
  readonly lines: readonly string[];
  readonly close: readonly string[];
}

/** With the blank line that follows. */
const bytesOf = (lines: readonly string[]): number => Buffer.byteLength(`${lines.join('\n')}\n\n`);
/** Of `…and 12345 more.` and its blank line. */
const moreBytes = 40;

/**
 * The sections one after another, a blank line between them, in at most `mostBytes` of UTF-8 as long as their frames fit.
 * All frames are counted first, then lines are given out in order, so that a late section never loses its frame.
 */
export function fitSections(sections: readonly Section[], mostBytes: number): string {
  let left = mostBytes - sections.reduce((sum, { open, close }) => sum + bytesOf(open) + bytesOf(close) + moreBytes, 0);
  const texts = sections.map(({ open, lines, close }) => {
    const kept: string[] = [];
    for (const line of lines) {
      left -= Buffer.byteLength(line) + 1;
      if (left < 0) break;
      kept.push(line);
    }
    const more = lines.length === kept.length ? [] : ['', `…and ${lines.length - kept.length} more.`];
    return [...open, ...kept, ...more, ...close].join('\n');
  });
  return `${texts.join('\n\n')}\n`;
}
