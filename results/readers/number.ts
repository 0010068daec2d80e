/** Powers of ten that a double holds exactly. */
const exactPowers = Array.from({ length: 23 }, (_, power) => 10 ** power);

/**
 * The number that a text spells as a whole: decimal with or without exponent, `inf` and `infinity`, hexadecimal floats as
 * C's `%a` writes them; `nan` gives NaN. Undefined for anything else, also where trec_eval's atof takes a prefix (`1,5`
 * is 1 there).
 */
export function numberAt(text: string, start: number, end: number): number | undefined {
  const first = text.charCodeAt(start);
  const digits = first === 43 || first === 45 ? start + 1 : start;
  const simple = simpleDecimal(text, digits, end);
  if (simple >= 0) return first === 45 ? -simple : simple;
  return isDecimal(text, digits, end) ? Number(text.slice(start, end)) : specialNumber(text.slice(start, end));
}

/**
 * At most 15 digits and a point: a whole number below 2^53 over an exact power of ten, so the one division rounds rightly
 * (Clinger, PLDI 1990). -1 for any other text. Five times as fast as Number on a slice.
 */
function simpleDecimal(text: string, start: number, end: number): number {
  let whole = 0;
  let point = -1;
  if (end - start > 16 || end <= start) return -1;
  for (let i = start; i < end; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (digit >= 0 && digit <= 9) whole = whole * 10 + digit;
    else if (digit === -2 && point < 0) point = i;
    else return -1;
  }
  if (point < 0) return end - start <= 15 ? whole : -1;
  return end - start > 1 ? whole / exactPowers[end - point - 1] : -1;
}

function isDecimal(text: string, start: number, end: number): boolean {
  const whole = skipDigits(text, start, end);
  const point = whole < end && text.charCodeAt(whole) === 46 ? whole + 1 : whole;
  const mantissa = point > whole ? skipDigits(text, point, end) : whole;
  if (mantissa - start - (point - whole) === 0) return false;
  if (mantissa === end) return true;
  if ((text.charCodeAt(mantissa) | 32) !== 101) return false;
  const sign = text.charCodeAt(mantissa + 1);
  const exponent = mantissa + (sign === 43 || sign === 45 ? 2 : 1);
  return exponent < end && skipDigits(text, exponent, end) === end;
}

function skipDigits(text: string, start: number, end: number): number {
  let i = start;
  while (i < end && text.charCodeAt(i) >= 48 && text.charCodeAt(i) <= 57) i++;
  return i;
}

function specialNumber(text: string): number | undefined {
  const word = /^([+-]?)(?:(inf(?:inity)?)|nan)$/i.exec(text);
  if (word !== null) return word[2] === undefined ? Number.NaN : Number(`${word[1]}Infinity`);
  const hex = /^([+-]?)0x([0-9a-f]*)\.?([0-9a-f]*)(?:p([+-]?\d{1,5}))?$/i.exec(text);
  if (hex === null || hex[2] + hex[3] === '') return undefined;
  const [, sign, whole, fraction, power = '0'] = hex;
  const digits = whole + fraction;
  // More than 13 digits could round twice; nothing writes them.
  return digits.length > 13
    ? undefined
    : Number(`${sign}1`) * Number.parseInt(digits, 16) * 2 ** (Number(power) - 4 * fraction.length);
}
