import type { Counts, Manifest } from '../tasks/types.js';
import { markdownTable, markdownText } from './markdown.js';

const labels = new Map([
  ['duplicateDocs', 'documents byte-identical to another, collapsed'],
  ['emptyDocs', 'empty documents, dropped'],
  ['emptyQueries', 'empty queries, dropped'],
  ['queriesWithoutPositives', 'queries without a relevant document, left out'],
  ['unjudgedQueries', 'of these without any judgement'],
  ['leftOutDocs', 'documents left out by sampling'],
  ['leftOutQueries', 'queries left out by sampling'],
  ['leftOutQrels', 'judgements left out by sampling'],
  ['mergedQrels', 'judgements merged with those of identical documents'],
  ['qrelsOfEmptyDocs', 'judgements of empty documents, dropped'],
  ['qrelsOfEmptyQueries', 'judgements of empty queries, dropped'],
  ['repairedTexts', 'texts with lone surrogates, repaired'],
  ['droppedDocs', 'faulty documents, dropped'],
  ['droppedQueries', 'faulty queries, dropped'],
  ['droppedQrels', 'faulty judgements, dropped'],
  ['malformedLines', 'lines that could not be read'],
]);

/** What was read, what became of it, and what was kept; zeros are left out. */
export function countTable(manifests: readonly Manifest[]): string {
  return markdownTable(
    ['Task', 'What', 'How many'],
    manifests.flatMap(({ task, counts }) => [
      [markdownText(task), 'read', countText(counts.read)],
      ...[...labels]
        .filter(([name]) => Object.hasOwn(counts, name) && counts[name] !== 0)
        .map(([name, label]) => [markdownText(task), label, markdownText(String(counts[name]))]),
      [markdownText(task), 'kept', countText(counts.kept)],
    ]),
  );
}

function countText({ docs, queries, qrels }: Counts): string {
  return `${docs} documents, ${queries} queries, ${qrels} judgements`;
}
