/** What the files of a folder say of one family's facts, before tenbin.json has its say. */
export interface Draft {
  /** Facts by their name on the card. */
  readonly facts: ReadonlyMap<string, unknown>;
  /** Facts that could not be read, with the reason and the files that were looked at. */
  readonly open: ReadonlyMap<string, OpenFact>;
}

export interface OpenFact {
  readonly looked: readonly string[];
  /** Why what stands there does not do; absent where nothing stands there. */
  readonly reason?: string;
}

/** A fact that was read, or why it was not. */
export type Reading<Value> = { readonly value: Value } | OpenFact;

export function isOpen<Value>(reading: Reading<Value>): reading is OpenFact {
  return 'looked' in reading;
}

export function draftOf(readings: Readonly<Record<string, Reading<unknown>>>): Draft {
  const facts = new Map<string, unknown>();
  const open = new Map<string, OpenFact>();
  for (const [name, reading] of Object.entries(readings)) {
    if (isOpen(reading)) open.set(name, reading);
    else facts.set(name, reading.value);
  }
  return { facts, open };
}
