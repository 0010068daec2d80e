const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * A column of whole numbers as text: the distinct ones in ascending order, a colon, and for each place the letters of its
 * number, a repeated one with its count: `0 6309 10000: A12BCA3`. Values of many queries are few, and most of them 0 or 1,
 * so this takes a byte or two per query and stays one line of a diff.
 */
export function encodeValues(units: readonly number[]): string {
  const distinct = [...new Set(units)].sort((a, b) => a - b);
  const width = widthFor(distinct.length);
  const codes = new Map(distinct.map((unit, i) => [unit, codeOf(i, width)]));
  let text = '';
  for (let i = 0; i < units.length; ) {
    let end = i;
    while (end < units.length && units[end] === units[i]) end++;
    const code = codes.get(units[i]) ?? '';
    text += end - i === 1 ? code : `${code}${end - i}`;
    i = end;
  }
  return `${distinct.join(' ')}: ${text}`;
}

/** The column again; null for what is no such text or has more than `most` places. */
export function decodeValues(text: string, most: number): readonly number[] | null {
  const parts = /^(-?\d+(?: -?\d+)*)?: ([A-Za-z0-9]*)$/.exec(text);
  if (parts === null) return null;
  const [, dictionary = '', codes] = parts;
  const distinct = dictionary === '' ? [] : dictionary.split(' ').map(Number);
  const width = widthFor(distinct.length);
  const units: number[] = [];
  let read = 0;
  for (const [whole, code, count] of codes.matchAll(new RegExp(`([A-Za-z]{${width}})(\\d*)`, 'g'))) {
    const unit = distinct[indexOf(code)];
    const times = count === '' ? 1 : Number(count);
    if (unit === undefined || !Number.isSafeInteger(unit) || units.length + times > most) return null;
    for (let i = 0; i < times; i++) units.push(unit);
    read += whole.length;
  }
  return read === codes.length ? units : null;
}

/** Letters that a code takes, so that all codes of a column are equally long. */
function widthFor(distinct: number): number {
  let width = 1;
  while (letters.length ** width < distinct) width++;
  return width;
}

function codeOf(index: number, width: number): string {
  const places = Array.from({ length: width }, (_, i) => Math.floor(index / letters.length ** i) % letters.length);
  return places
    .reverse()
    .map((place) => letters[place])
    .join('');
}

function indexOf(code: string): number {
  return [...code].reduce((index, letter) => index * letters.length + letters.indexOf(letter), 0);
}
