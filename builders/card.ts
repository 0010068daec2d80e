import { join } from 'node:path';
import { fixed } from '../core/numbers.js';
import { byCodePoint } from '../core/order.js';
import { sweepTemporaries, writeAtomic } from '../tasks/files.js';
import { listBuilt, readManifest, suiteFolder } from '../tasks/store.js';
import type { Manifest } from '../tasks/types.js';
import { countTable } from './card-counts.js';
import { frontMatter, splitNames } from './card-front-matter.js';
import { constructionSteps } from './card-steps.js';
import { markdownTable, markdownText } from './markdown.js';

/** The dataset card of a suite. A pure function of its manifests, so it changes only when they do. */
export function datasetCard(suite: string, manifests: readonly Manifest[]): string {
  const ordered = [...manifests].sort((a, b) => byCodePoint(a.task, b.task));
  const sections = [
    `# ${markdownText(suite)}`,
    'Small frozen retrieval tasks built by tenbin. Each split is one task with its corpus, queries, graded judgements and candidate pools.',
    section('Tasks', taskTable(ordered)),
    section('Layout', layout),
    section('Sources, attribution and licences', ordered.map(sourceItem).join('\n')),
    section('Counts', countTable(ordered)),
    section('How they were built', ordered.map(constructionSteps).join('\n\n')),
    section('Candidate quality', `${poolNote}\n\n${poolTable(ordered)}`),
  ];
  return `${frontMatter(ordered)}\n${sections.join('\n\n')}\n`;
}

/**
 * Writes the card of a suite from the manifests that are there now, and returns its path; null where there is none.
 * A damaged manifest is left out: it says what is wrong when its task is used.
 */
export async function writeCard(root: string, suite: string): Promise<string | null> {
  const manifests: Manifest[] = [];
  for (const id of await listBuilt(root)) {
    const manifest = id.startsWith(`${suite}/`) ? await readManifest(root, id).catch(() => null) : null;
    if (manifest !== null) manifests.push(manifest);
  }
  if (manifests.length === 0) return null;
  const folder = suiteFolder(root, suite);
  await sweepTemporaries(folder);
  const path = join(folder, 'README.md');
  await writeAtomic(path, datasetCard(suite, manifests));
  return path;
}

function section(title: string, body: string): string {
  return `## ${title}\n\n${body}`;
}

function taskTable(manifests: readonly Manifest[]): string {
  const splits = splitNames(manifests.map(({ task }) => task));
  return markdownTable(
    ['Task', 'Split', 'Language', 'Domain', 'Queries', 'Documents', 'Judgements', 'Grades'],
    manifests.map((manifest) => [
      markdownText(manifest.task),
      markdownText(splits.get(manifest.task) ?? manifest.task),
      markdownText(languages(manifest)),
      markdownText(manifest.domain),
      String(manifest.counts.kept.queries),
      String(manifest.counts.kept.docs),
      String(manifest.counts.kept.qrels),
      gradeText(manifest.grades),
    ]),
  );
}

const layout = markdownTable(
  ['Configuration', 'Columns'],
  [
    ['`corpus`', '`_id`, `text`'],
    ['`queries`', '`_id`, `text`, `meta` (a JSON object) where there is one'],
    ['`qrels`', '`query-id`, `corpus-id`, `score`: the grade, relevant from 1'],
    ['`bm25`, `dense`', '`query-id`, `corpus-ids` best first, `scores`'],
    ['`hybrid`', 'the same and `forced`: documents that the safeguard put in'],
  ],
);

function languages({ language, documentLanguage }: Manifest): string {
  return documentLanguage === undefined ? language : `${language} → ${documentLanguage}`;
}

function gradeText(grades: Manifest['grades']): string {
  const rows = Object.entries(grades).sort(([a], [b]) => Number(a) - Number(b));
  return rows.map(([grade, count]) => `${grade}: ${count}`).join(', ');
}

function sourceItem({ task, source, licence, citation }: Manifest): string {
  const name = `**${markdownText(task)}**: ${markdownText(source.title)} (${markdownText(source.id)}).`;
  const terms = `${markdownText(source.attribution)} Licence: ${markdownText(licence)}.`;
  const cite = ['', 'unknown'].includes(citation.trim()) ? '' : ` Cite: ${markdownText(citation)}`;
  return `- ${name} ${terms}${cite}`;
}

const poolNote =
  'Over the first 100 rows of each pool without safeguard rows. nDCG@10 is expected over ties with the ideal of all judged documents; oracle is the nDCG@10 of a perfect reranker of those rows.';

function poolTable(manifests: readonly Manifest[]): string {
  return markdownTable(
    ['Task', 'Pool', 'System', 'nDCG@10', 'Recall@100', 'Oracle nDCG@10', 'Forced rows'],
    manifests.flatMap(({ task, pools }) =>
      Object.entries(pools)
        .sort(([a], [b]) => byCodePoint(a, b))
        .map(([name, facts]) => [
          markdownText(task),
          markdownText(name),
          markdownText(facts.system),
          fixed(facts.nDCGAt10),
          fixed(facts.recallAt100),
          fixed(facts.oracleAt10),
          String(facts.forcedRows),
        ]),
    ),
  );
}
