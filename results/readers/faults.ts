import { TenbinError } from '../../core/errors.js';

/** The two kinds of file that are read here, as people call them. */
export type Content = 'run' | 'qrels';

const columns = {
  run: 'A line of a run has 6 columns, `qid Q0 docid rank score tag`',
  qrels: 'A line of a qrels file has 4 columns, `qid iter docid grade`',
} as const;

export function wrongColumns(content: Content, count: number, where: string): TenbinError {
  return new TenbinError('malformed', {
    what: `${columns[content]}, and this one has ${count}`,
    value: where,
    fix: count === 3 ? threeColumns[content] : 'Mend or remove the line.',
  });
}

const threeColumns = {
  run: 'Three columns are what trec_eval and ir_measures print: values of measures, not a run. Give the run that they measured.',
  qrels: "BEIR's three columns are read between tabs and under their header `query-id corpus-id score`: add it.",
} as const;

/** A run where qrels are needed, or the other way round: nearly always the two operands in the wrong order. */
export function swapped(wanted: Content, where: string): TenbinError {
  const names = { run: 'a run', qrels: 'a qrels file' };
  return new TenbinError('malformed', {
    what: `This is ${names[wanted === 'run' ? 'qrels' : 'run']}, and ${names[wanted]} is needed here`,
    value: where,
    fix: 'The qrels come first, then the runs: `tenbin score QRELS RUN`.',
  });
}

export function notAScore(text: string, where: string): TenbinError {
  return new TenbinError('malformed', {
    what: 'A score is not a number',
    value: `${where}: \`${text}\``,
    fix: 'Write it with a point for decimals and nothing after it: `12.5`, `1.25e1`.',
  });
}

export function notAGrade(text: string, where: string): TenbinError {
  return new TenbinError('malformed', {
    what: 'A grade is not a whole number',
    value: `${where}: \`${text}\``,
    fix: 'Grades are whole: 0 for not relevant, 1 and more for relevant. A run has scores; the qrels come before the runs.',
  });
}

export function nanScore(query: string, doc: string, where: string): TenbinError {
  return new TenbinError('not-finite', {
    what: 'A score is not a number (NaN), and NaN never ranks',
    value: `${where}: query \`${query}\`, document \`${doc}\``,
    fix: 'Mend the system that gave it: NaN often comes from 0/0 in a normalization or from an overflow in half precision.',
  });
}

export function twice(query: string, doc: string, where: string): TenbinError {
  return new TenbinError('malformed', {
    what: 'A document stands twice in one query',
    value: `${where}: query \`${query}\`, document \`${doc}\``,
    fix: 'Keep one line per query and document.',
  });
}

export function empty(content: Content, where: string): TenbinError {
  return new TenbinError('malformed', {
    what: content === 'run' ? 'This run has no line' : 'These qrels have no judgement',
    value: where,
    fix: 'Give the file that was meant; an empty one is often the trace of a command that failed.',
  });
}

export function broken(what: string, where: string, fix: string): TenbinError {
  return new TenbinError('malformed', { what, value: where, fix });
}
