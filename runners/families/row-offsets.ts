import { TenbinError } from '../../core/errors.js';

/** Whose rows are checked, for errors. */
export interface RowsOf {
  readonly model: string;
  readonly noun: 'document' | 'query';
  readonly texts: number;
}

/** Refuses offsets that do not divide `entries` entries into one row for each text; an empty row is one too. */
export function checkOffsets(offsets: Int32Array, entries: number, { model, noun, texts }: RowsOf): void {
  const wrong = (value: string): TenbinError =>
    new TenbinError('malformed', {
      what: `${model} gave wrong rows for the ${noun} texts`,
      value,
      fix: `This is a mistake in its backend, or its files are not those of ${model}.`,
    });
  if (offsets.length !== texts + 1) throw wrong(`${offsets.length - 1} rows for ${texts} texts`);
  if (offsets[0] !== 0 || offsets[texts] !== entries) {
    throw wrong(`rows from ${offsets[0]} to ${offsets[texts]} of ${entries} entries`);
  }
  for (let text = 0; text < texts; text++) {
    if (offsets[text] > offsets[text + 1])
      throw wrong(`the row of the ${noun} at position ${text} ends before it starts`);
  }
}

/** Entries of a row on average; 0 where there are no rows. */
export function meanRowLength(offsets: Int32Array): number {
  const rows = offsets.length - 1;
  return rows === 0 ? 0 : offsets[rows] / rows;
}
