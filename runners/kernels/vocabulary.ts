import { byCodePoint } from '../../core/order.js';
import { type WordRules, wordClass, wordRulesOf, wordsOf } from '../analyzers/words.js';
import type { Analyzer } from '../system.js';
import { grown } from './sparse-rows.js';

/** Numbers for terms, in the order in which they first appear. */
export interface Vocabulary {
  readonly terms: readonly string[];
  /** Reads a text; the numbers of its terms are in `numbers()` up to the length returned, until the next text is read. */
  readonly read: (text: string) => number;
  readonly numbers: () => Int32Array;
}

/**
 * A vocabulary that fills itself from the texts it reads. Where terms come word by word, each distinct word is analyzed
 * once; after that a word costs one walk over its letters, without a string being made.
 */
export function vocabulary(analyzer: Analyzer): Vocabulary {
  const terms: string[] = [];
  const known = new Map<string, number>();
  const numberOf = (term: string): number => {
    const number = known.get(term);
    if (number !== undefined) return number;
    known.set(term, terms.length);
    return terms.push(term) - 1;
  };
  const rules = wordRulesOf(analyzer);
  const reader = rules === undefined ? readTerms(analyzer, numberOf) : readWords(rules, numberOf);
  return { terms, ...reader };
}

type Reader = Omit<Vocabulary, 'terms'>;

function readTerms(analyzer: Analyzer, numberOf: (term: string) => number): Reader {
  let numbers: Int32Array = new Int32Array(1024);
  const read = (text: string): number => {
    const found = analyzer.analyze(text);
    if (found.length > numbers.length) numbers = new Int32Array(found.length * 2);
    for (let i = 0; i < found.length; i++) numbers[i] = numberOf(found[i]);
    return found.length;
  };
  return { read, numbers: () => numbers };
}

const surrogate = /[\ud800-\udfff]/;

/** 1 for the UTF-16 units that are a word character by themselves: `wordsOf` for texts without surrogates. */
function wordUnits(): Uint8Array {
  const one = new RegExp(`^[${wordClass}]$`, 'u');
  const units = new Uint8Array(0x10000);
  for (let unit = 0; unit < units.length; unit++) if (one.test(String.fromCharCode(unit))) units[unit] = 1;
  return units;
}

let knownWordUnits: Uint8Array | undefined;

function readWords(rules: WordRules, numberOf: (term: string) => number): Reader {
  knownWordUnits ??= wordUnits(); // 5 ms, once and only where texts are read
  const isWordUnit = knownWordUnits;
  const words = wordTable((word) => rules.termsOf(word).map(numberOf));
  let numbers: Int32Array = new Int32Array(1024);
  let length = 0;

  const append = (text: string, start: number, end: number, hash: number): void => {
    const meaning = words.meaningOf(text, start, end, hash);
    if (meaning >= 0) numbers[length++] = meaning;
    else if (meaning !== noTerm) {
      const several = words.several(meaning);
      if (length + several.length > numbers.length) numbers = grown(numbers, length + several.length);
      for (const number of several) numbers[length++] = number;
    }
    if (length === numbers.length) numbers = grown(numbers, length + 1);
  };

  const read = (text: string): number => {
    const folded = rules.fold(text);
    length = 0;
    if (surrogate.test(folded)) {
      for (const word of wordsOf(folded)) append(word, 0, word.length, hashOf(word));
      return length;
    }
    const size = folded.length;
    let i = 0;
    while (i < size) {
      let unit = folded.charCodeAt(i);
      if (isWordUnit[unit] === 0) {
        i++;
        continue;
      }
      const start = i;
      let hash = seed;
      while (isWordUnit[unit] === 1) {
        hash = Math.imul(hash ^ unit, prime);
        unit = ++i < size ? folded.charCodeAt(i) : 0;
      }
      append(folded, start, i, hash);
    }
    return length;
  };
  return { read, numbers: () => numbers };
}

// FNV-1a over UTF-16 units.
const seed = 0x811c9dc5 | 0;
const prime = 0x01000193;

function hashOf(word: string): number {
  let hash = seed;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), prime);
  return hash;
}

const noTerm = -1;

/** What each distinct word means: the number of its term, `noTerm`, or a smaller number that names a list of several. */
interface WordTable {
  /** The meaning of text[start .. end), whose hash is given. */
  readonly meaningOf: (text: string, start: number, end: number, hash: number) => number;
  readonly several: (meaning: number) => readonly number[];
}

/** Fields of an entry, side by side because a look-up reads them all: one cache line instead of four. */
const fields = 4;
const hashField = 0;
const startField = 1;
const lengthField = 2;
const meaningField = 3;

/** Open addressing over entries of `fields` numbers, whose words stand end to end in one array of UTF-16 units. */
function wordTable(termNumbers: (word: string) => readonly number[]): WordTable {
  let slots: Int32Array = new Int32Array(1 << 15);
  let entries: Int32Array = new Int32Array(fields << 14);
  let count = 0;
  let units = new Uint16Array(1 << 16);
  let used = 0;
  const lists: (readonly number[])[] = [];

  const meaningOf = (text: string, start: number, end: number, hash: number): number => {
    const mask = slots.length - 1;
    let slot = spread(hash) & mask;
    for (let entry = slots[slot]; entry !== 0; entry = slots[slot]) {
      const at = entry * fields;
      if (entries[at + hashField] === hash && entries[at + lengthField] === end - start) {
        const shift = entries[at + startField] - start;
        let i = start;
        while (i < end && units[i + shift] === text.charCodeAt(i)) i++;
        if (i === end) return entries[at + meaningField];
      }
      slot = (slot + 1) & mask;
    }
    return add(text.slice(start, end), hash, slot);
  };

  const add = (word: string, hash: number, slot: number): number => {
    const at = ++count * fields;
    if (at + fields > entries.length) entries = grown(entries, at + fields);
    if (used + word.length > units.length) {
      const larger = new Uint16Array(Math.max(units.length * 2, used + word.length));
      larger.set(units);
      units = larger;
    }
    for (let i = 0; i < word.length; i++) units[used + i] = word.charCodeAt(i);
    entries[at + hashField] = hash;
    entries[at + startField] = used;
    entries[at + lengthField] = word.length;
    entries[at + meaningField] = asMeaning(termNumbers(word));
    used += word.length;
    slots[slot] = count;
    if (count * 2 > slots.length) slots = rehashed(entries, count, slots.length * 2);
    return entries[at + meaningField];
  };

  const asMeaning = (numbers: readonly number[]): number => {
    if (numbers.length === 1) return numbers[0];
    return numbers.length === 0 ? noTerm : noTerm - lists.push(numbers);
  };
  return { meaningOf, several: (meaning) => lists[noTerm - 1 - meaning] };
}

/** The low bits choose the slot, so the high ones are mixed in. */
function spread(hash: number): number {
  return hash ^ (hash >>> 15);
}

function rehashed(entries: Int32Array, count: number, size: number): Int32Array {
  const slots = new Int32Array(size);
  for (let entry = 1; entry <= count; entry++) {
    let slot = spread(entries[entry * fields + hashField]) & (size - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (size - 1);
    slots[slot] = entry;
  }
  return slots;
}

export interface NumberedTerms {
  /** The new number of each term, -1 for one that is not held. */
  readonly numbers: Int32Array;
  readonly count: number;
  /** Of the held terms in UTF-8. */
  readonly bytes: number;
}

/**
 * Numbers the held terms in code-point order, so that an index does not depend on the order of its documents. Compares
 * the first units as one number and whole strings only where those are equal.
 */
export function inCodePointOrder(terms: readonly string[], held: Uint8Array): NumberedTerms {
  const keys = Float64Array.from(terms, firstUnits);
  const order = Int32Array.from(terms.keys()).filter((term) => held[term] === 1);
  order.sort((a, b) => keys[a] - keys[b] || byCodePoint(terms[a], terms[b]));
  const numbers = new Int32Array(terms.length).fill(-1);
  let bytes = 0;
  order.forEach((term, number) => {
    numbers[term] = number;
    bytes += Buffer.byteLength(terms[term]);
  });
  return { numbers, count: order.length, bytes };
}

/** Three UTF-16 units in code-point order: surrogates moved behind the rest, and 0 for none, before all of them. */
function firstUnits(term: string): number {
  let key = 0;
  for (let i = 0; i < 3; i++) {
    const unit = term.charCodeAt(i);
    const fixed = unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
    key = key * 0x10001 + (i < term.length ? fixed + 1 : 0);
  }
  return key;
}
