/** A vocabulary of pieces with log probabilities (Kudo 2018). */
export interface UnigramPieces {
  readonly vocabulary: ReadonlyMap<string, number>;
  readonly scores: readonly number[];
  readonly unknownScore: number;
  /** Unknown characters become the bytes <0x00> … of the vocabulary. */
  readonly byteFallback: boolean;
  /** Pieces that stand at that position, by ascending length. */
  readonly prefixes: (characters: readonly string[], start: number) => Iterable<string>;
}

interface Step {
  score: number;
  start: number;
  piece: string | null;
}

/**
 * The most probable cut of each word, by the Rust library's forward pass: the first of equal paths stays. (The JavaScript
 * library breaks such ties the other way, in runs like `-----`, and overflows the stack at words of 100,000 pieces.)
 */
export function unigramEncoder(pieces: UnigramPieces): (words: readonly string[]) => string[] {
  return (words) => {
    const out: string[] = [];
    for (const word of words) for (const piece of cut(Array.from(word), pieces)) out.push(piece);
    return out;
  };
}

function cut(characters: readonly string[], pieces: UnigramPieces): string[] {
  const best = forward(characters, pieces);
  const out: string[] = [];
  let unknown = '';
  const flush = () => {
    if (unknown !== '') out.push(...bytesOf(unknown, pieces).reverse());
    unknown = '';
  };
  for (let end = characters.length; end > 0; end = best[end].start) {
    const { piece, start } = best[end];
    if (piece === null) {
      // Neighbouring unknown characters are one unknown piece.
      unknown = characters.slice(start, end).join('') + unknown;
    } else {
      flush();
      out.push(piece);
    }
  }
  flush();
  return out.reverse();
}

function forward(characters: readonly string[], pieces: UnigramPieces): Step[] {
  const best = Array.from({ length: characters.length + 1 }, (): Step => ({ score: 0, start: -1, piece: null }));
  const offer = (end: number, score: number, from: Pick<Step, 'start' | 'piece'>) => {
    const step = best[end];
    if (step.start !== -1 && score <= step.score) return;
    step.score = score;
    step.start = from.start;
    step.piece = from.piece;
  };
  for (let start = 0; start < characters.length; start++) {
    const sofar = best[start].score;
    let single = false;
    for (const piece of pieces.prefixes(characters, start)) {
      const id = pieces.vocabulary.get(piece);
      if (id === undefined) continue;
      const length = lengthOf(piece);
      single ||= length === 1;
      offer(start + length, sofar + pieces.scores[id], { start, piece });
    }
    if (!single) offer(start + 1, sofar + pieces.unknownScore, { start, piece: null });
  }
  return best;
}

function lengthOf(piece: string): number {
  let length = 0;
  for (const _ of piece) length++;
  return length;
}

const encoder = new TextEncoder();

function bytesOf(unknown: string, { byteFallback, vocabulary }: UnigramPieces): string[] {
  if (!byteFallback) return [unknown];
  const bytes = Array.from(
    encoder.encode(unknown),
    (byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
  );
  return bytes.every((byte) => vocabulary.has(byte)) ? bytes : [unknown];
}
