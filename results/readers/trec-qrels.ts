import type { Judgements } from '../../tasks/types.js';
import { swapped, wrongColumns } from './faults.js';
import { emptyFields, field, isComment, scanFields } from './fields.js';
import { numberAt } from './number.js';
import { addGrade, checkedGrade, type GradesByQuery, judgementsOf } from './rows.js';
import { textPieces } from './text.js';

/** TREC qrels: `qid iter docid grade`, exactly; `iter` is not read. */
export function decodeTrecQrels(bytes: Uint8Array, where: string): Judgements {
  const judged: GradesByQuery = new Map();
  const fields = emptyFields();
  let line = 0;
  for (const text of textPieces(bytes, where)) {
    for (let at = 0; at < text.length; at = fields.next) {
      scanFields(text, at, fields);
      line++;
      if (fields.count === 0 || isComment(text, fields, 'four')) continue;
      const here = `${where}:${line}`;
      if (fields.count >= 6 && judged.size === 0) throw swapped('qrels', here);
      if (fields.count !== 4) throw wrongColumns('qrels', fields.count, here);
      const grade = numberAt(text, fields.starts[3], fields.ends[3]);
      addGrade(judged, field(text, fields, 0), {
        doc: field(text, fields, 2),
        grade: checkedGrade(grade, field(text, fields, 3), here),
        where: () => here,
      });
    }
  }
  return judgementsOf(judged, where);
}
