export interface WordPieces {
  readonly vocabulary: ReadonlyMap<string, number>;
  readonly unknown: string;
  /** What pieces after the first start with: `##`. */
  readonly continuing: string;
  /** Code points of the longest word that is cut at all. */
  readonly longestWord: number;
}

/**
 * Words into pieces, the longest piece first (Schuster and Nakajima 2012; BERT). The same pieces as the library gives,
 * without trying pieces that are longer than the longest of the vocabulary.
 */
export function wordPieceEncoder(model: WordPieces): (words: readonly string[]) => string[] {
  const longestPiece = [...model.vocabulary.keys()].reduce((longest, piece) => Math.max(longest, piece.length), 1);
  return (words) => words.flatMap((word) => piecesOf(word, model, longestPiece));
}

function piecesOf(word: string, model: WordPieces, longestPiece: number): readonly string[] {
  if (word.length > model.longestWord && isLonger(word, model.longestWord)) return [model.unknown];
  const pieces: string[] = [];
  for (let start = 0; start < word.length; ) {
    const prefix = start === 0 ? '' : model.continuing;
    let end = Math.min(word.length, start + longestPiece);
    while (end > start && !model.vocabulary.has(prefix + word.slice(start, end))) end--;
    if (end === start) return [model.unknown];
    pieces.push(prefix + word.slice(start, end));
    start = end;
  }
  return pieces;
}

/** Whether a text has more code points than that; one of a million characters is not walked to its end. */
function isLonger(text: string, limit: number): boolean {
  let count = 0;
  for (const _ of text) if (++count > limit) return true;
  return false;
}
