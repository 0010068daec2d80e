import { z } from 'zod';
import type { RerankerCard } from '../../models/card.js';
import { yesNoTemplate } from './chat-template.js';
import { type Draft, draftOf, type OpenFact, type Reading } from './draft.js';
import { architectureName } from './family.js';
import type { FolderContents } from './folder-contents.js';
import { fieldsOf } from './json-file.js';
import { strangersIn, understood } from './module-types.js';
import { sentenceTransformersOf } from './sentence-transformers.js';

const labelsSchema = z.object({
  num_labels: z.number().int().min(1).max(1_000_000).nullish(),
  id2label: z.record(z.string().max(20), z.unknown()).nullish(),
});

/** Encoder-decoders read what stands before `{query}` and give the probability of the query: Sachan et al., arXiv 2204.07496. */
const queryLikelihoodTemplate = 'Passage: {document}\nWrite a question that this passage answers: {query}';

export function rerankerDraft(contents: FolderContents): Draft {
  const name = architectureName(contents);
  const strangers = strangersIn(contents, understood.reranker);
  if (/ForCausalLM$/.test(name)) return languageModel('yes-no', strangers, yesNoTemplate(contents));
  if (/ForConditionalGeneration$/.test(name)) {
    return languageModel('query-likelihood', strangers, { value: queryLikelihoodTemplate });
  }
  return draftOf({
    method: strangers ?? methodOf(contents, name),
    labels: labelsOf(contents),
    template: { value: null },
    words: { value: null },
  });
}

function languageModel(method: RerankerCard['method'], strangers: OpenFact | null, template: Reading<string>): Draft {
  const words = method === 'yes-no' ? { yes: 'yes', no: 'no' } : null;
  return draftOf({ method: strangers ?? { value: method }, labels: { value: 1 }, template, words: { value: words } });
}

/** Newer cross-encoders keep their head in modules of its own, which exporters leave out of the graph. */
function methodOf(contents: FolderContents, name: string): Reading<RerankerCard['method']> {
  if (/ForSequenceClassification$/.test(name)) return { value: 'cross-encoder' };
  const apart = sentenceTransformersOf(contents).model_type === 'CrossEncoder';
  const looked = ['config.json', 'config_sentence_transformers.json'];
  return apart ? { looked, reason: 'the head that scores a pair stands outside the graph' } : { looked };
}

/** Where config.json counts no labels, transformers makes two. A count that its own list contradicts is not believed. */
function labelsOf(contents: FolderContents): Reading<RerankerCard['labels']> {
  const read = contents.config === null ? {} : fieldsOf(contents.config, labelsSchema);
  const listed = read.id2label == null ? null : Object.keys(read.id2label).length;
  const labels = read.num_labels ?? listed ?? 2;
  if (listed !== null && listed !== labels) {
    return { looked: ['config.json'], reason: `num_labels is ${labels}, and id2label lists ${listed}` };
  }
  if (labels === 1 || labels === 2) return { value: labels };
  return { looked: ['config.json'], reason: `a classifier of ${labels} labels does not score a pair` };
}
