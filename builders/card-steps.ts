import type { Manifest } from '../tasks/types.js';
import { markdownText } from './markdown.js';

/** What was done to make a task, from its manifest alone. */
export function constructionSteps(manifest: Manifest): string {
  const { options, analyzer, notes } = manifest;
  const say = (name: string) => markdownText(String(options[name] ?? '–'));
  const steps = [
    'Texts were normalized to NFC and trimmed; title and body were joined by a blank line. Empty texts were dropped, byte-identical documents collapsed into the one with the smallest id, their judgements with the highest grade.',
    `Sampled by ${say('sampler')} with seed ${say('seed')}: at most ${say('queries')} queries that have a relevant document, and ${say('docs')} documents: relevant ones, judged ones, ${say('sampler') === 'hash' ? 'hard negatives of BM25 over the whole collection, then filler by keyed hash' : 'then source order'}.`,
    `Pools: \`bm25\` (analyzer ${markdownText(analyzer)}) and \`dense\` (${say('dense')}), the best ${say('depth')} of each; \`hybrid\` is their reciprocal rank fusion, Σ 1/(${say('rrfK')} + rank), the best ${say('poolSize')}.`,
    `Safeguard ${say('safeguard')}: ${safeguardText(String(options.safeguard))} Such rows stand in the column \`forced\`.`,
    ...notes.map(markdownText),
  ];
  return [`### ${markdownText(manifest.task)}`, '', ...steps.map((step, i) => `${i + 1}. ${step}`)].join('\n');
}

function safeguardText(policy: string): string {
  const texts = new Map([
    ['append', 'a query with no relevant document in its pool gets one after the last row.'],
    ['replace', 'a query with no relevant document in its pool gets one in place of the last row.'],
    ['none', 'a query may have no relevant document in its pool.'],
  ]);
  return texts.get(policy) ?? 'unknown.';
}
