import type { Judgements } from '../../tasks/types.js';
import { broken } from './faults.js';
import { emptyFields, field, scanTabs } from './fields.js';
import { numberAt } from './number.js';
import { addGrade, checkedGrade, type GradesByQuery, judgementsOf } from './rows.js';
import { textPieces } from './text.js';

/** BEIR's qrels: three columns between tabs under a header, `query-id corpus-id score`. Ids may hold blanks. */
export function decodeBeirQrels(bytes: Uint8Array, where: string): Judgements {
  const judged: GradesByQuery = new Map();
  const fields = emptyFields();
  let line = 0;
  let header = true;
  for (const text of textPieces(bytes, where)) {
    for (let at = 0; at < text.length; at = fields.next) {
      scanTabs(text, at, fields);
      line++;
      if (fields.count === 0) continue;
      if (fields.count !== 3) throw wrongTabs(fields.count, `${where}:${line}`);
      if (!header)
        addLine(
          judged,
          [0, 1, 2].map((i) => field(text, fields, i)),
          `${where}:${line}`,
        );
      header = false;
    }
  }
  return judgementsOf(judged, where);
}

function addLine(judged: GradesByQuery, [query, doc, grade]: readonly string[], here: string): void {
  if (query === '' || doc === '')
    throw broken('A line of these qrels has an empty id', here, 'Mend or remove the line.');
  addGrade(judged, query, {
    doc,
    grade: checkedGrade(numberAt(grade, 0, grade.length), grade, here),
    where: () => here,
  });
}

function wrongTabs(count: number, here: string): Error {
  const what = `A line of BEIR qrels has 3 columns between tabs: \`query-id corpus-id score\`, and this one has ${count}`;
  return broken(what, here, 'Mend or remove the line.');
}
