/** Options of a BertNormalizer in tokenizer.json. */
export interface BertNormalizing {
  readonly clean_text?: boolean;
  readonly handle_chinese_chars?: boolean;
  /** Absent or null: as `lowercase` says. */
  readonly strip_accents?: boolean | null;
  readonly lowercase?: boolean;
}

const asciiControls = /(?![\t\n\r])\p{Cc}/gu;
const controls = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\ufffd]/gu;
/** The last range starts at 2B920, as in the Rust library, not at 2B820, where the block starts. */
const ideographs =
  /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu;

/**
 * BERT's normalization in the order of the Rust library: control characters, white space, ideographs, accents, lower
 * case. The JavaScript library lowers before it strips and knows no ideographs beyond U+FFFF.
 */
export function bertNormalizer(options: BertNormalizing): (text: string) => string {
  const { clean_text: clean = true, handle_chinese_chars: chinese = true, lowercase = true } = options;
  const strip = options.strip_accents ?? lowercase;
  const ascii = (text: string) => {
    const cleaned = clean ? text.replace(asciiControls, '').replace(/[\t\n\r]/g, ' ') : text;
    return lowercase ? cleaned.toLowerCase() : cleaned;
  };
  return (text) => {
    if (isAscii(text)) return ascii(text);
    const cleaned = clean ? text.replace(controls, '').replace(/\p{White_Space}/gu, ' ') : text;
    const spaced = chinese ? cleaned.replace(ideographs, ' $& ') : cleaned;
    const stripped = strip ? spaced.normalize('NFD').replace(/\p{Mn}/gu, '') : spaced;
    return lowercase ? lowerEach(stripped) : stripped;
  };
}

function isAscii(text: string): boolean {
  // A plain loop beats a regular expression here, and most texts end it at the last character.
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false;
  return true;
}

/** Lower case of each character by itself: a final Σ becomes σ, where the whole word would get ς. */
export function lowerEach(text: string): string {
  return text.replaceAll('Σ', 'σ').toLowerCase();
}
