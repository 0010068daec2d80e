import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Reply, Seen } from './loopback.js';

/*
 * The services as their documentation describes them: request fields that are required are required here, answers have
 * the documented fields. Numbers follow from the text alone, so that order and place can be checked.
 */

/** A vector of float32 numbers in [-1, 1) that only this text has. */
export function vectorOf(text: string, dims = 4): number[] {
  const bytes = createHash('sha256').update(text).digest();
  return Array.from({ length: dims }, (_, i) => (bytes.readUInt16LE((2 * i) % 30) - 2 ** 15) / 2 ** 15);
}

/** A score in [0, 1) that only this pair has. */
export function scoreOf(query: string, document: string): number {
  return createHash('sha256').update(`${query}\0${document}`).digest().readUInt32LE(0) / 2 ** 32;
}

/** Weights of some terms of a vocabulary of 1000, ascending. */
export function weightsOf(text: string): { index: number; value: number }[] {
  const bytes = createHash('sha256').update(text).digest();
  const terms = new Set(Array.from({ length: 5 }, (_, i) => bytes.readUInt16LE(2 * i) % 1000));
  return [...terms].sort((a, b) => a - b).map((index) => ({ index, value: (1 + (index % 7)) / 4 }));
}

export interface Variation {
  readonly dims?: number;
  /** Changes the list of results before it is sent. */
  readonly change?: <Entry>(entries: readonly Entry[]) => readonly unknown[];
}

const openAiRequest = z.strictObject({
  model: z.string().min(1),
  input: z.array(z.string().min(1)).min(1).max(2048),
  encoding_format: z.enum(['float', 'base64']),
});

/** POST /v1/embeddings */
export function openAi({ path, method, body }: Seen, { dims = 4, change = same }: Variation = {}): Reply {
  if (method !== 'POST' || path !== '/v1/embeddings') return { status: 404, json: { error: { message: 'Not Found' } } };
  const parsed = openAiRequest.safeParse(body);
  if (!parsed.success) {
    const error = { message: "'$.input' is invalid.", type: 'invalid_request_error', param: null, code: null };
    return { status: 400, json: { error } };
  }
  const { model, input } = parsed.data;
  const data = input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text, dims) }));
  const tokens = input.reduce((sum, text) => sum + text.length, 0);
  return {
    json: { object: 'list', data: change(data), model, usage: { prompt_tokens: tokens, total_tokens: tokens } },
  };
}

const ollamaRequest = z.strictObject({
  model: z.string().min(1),
  input: z.union([z.string(), z.array(z.string())]),
  truncate: z.boolean().optional(),
});

/** POST /api/embed */
export function ollama({ path, method, body }: Seen, { dims = 4, change = same }: Variation = {}): Reply {
  if (method !== 'POST' || path !== '/api/embed') return { status: 404, text: '404 page not found' };
  const { model, input } = ollamaRequest.parse(body);
  const texts = typeof input === 'string' ? [input] : input;
  const embeddings = change(texts.map((text) => vectorOf(text, dims)));
  return { json: { model, embeddings, total_duration: 14_143_917, load_duration: 1_019_500, prompt_eval_count: 8 } };
}

export type TeiKind = 'embedding' | 'splade' | 'reranker' | 'classifier';

const labels = { id2label: { 0: 'LABEL_0' }, label2id: { LABEL_0: 0 } };
const modelTypes = {
  embedding: { embedding: { pooling: 'cls' } },
  splade: { embedding: { pooling: 'splade' } },
  reranker: { reranker: labels },
  classifier: { classifier: labels },
};

/** GET /info */
export function teiInfo(kind: TeiKind, maxBatch: number): Record<string, unknown> {
  return {
    model_id: `someone/${kind}`,
    model_sha: 'fca14538aa9956a46526bd1d0d11d69e19b5a101',
    model_dtype: 'float32',
    model_type: modelTypes[kind],
    max_concurrent_requests: 512,
    max_input_length: 512,
    max_batch_tokens: 16384,
    max_batch_requests: null,
    max_client_batch_size: maxBatch,
    auto_truncate: false,
    tokenization_workers: 4,
    version: '1.7.1',
    sha: null,
    docker_label: null,
  };
}

const teiTexts = z.object({ inputs: z.array(z.string()), truncate: z.boolean(), normalize: z.boolean().optional() });
const teiRerank = z.object({ query: z.string(), texts: z.array(z.string()), raw_scores: z.boolean().optional() });

/** A whole server: GET /info, POST /embed, /embed_sparse, /rerank. */
export function tei(seen: Seen, kind: TeiKind, { dims = 4, change = same }: Variation = {}, maxBatch = 32): Reply {
  if (seen.method === 'GET' && seen.path === '/info') return { json: teiInfo(kind, maxBatch) };
  if (kind === 'reranker' && seen.path === '/rerank') {
    const { query, texts } = teiRerank.parse(seen.body);
    if (texts.length > maxBatch) return tooMany(texts.length, maxBatch);
    const ranks = texts.map((text, index) => ({ index, score: scoreOf(query, text) }));
    return { json: change(ranks.sort((a, b) => b.score - a.score)), headers: computed(texts) };
  }
  const { inputs } = teiTexts.parse(seen.body);
  if (inputs.length > maxBatch) return tooMany(inputs.length, maxBatch);
  if (inputs.includes('')) return validation('`inputs` cannot be empty');
  if (kind === 'embedding' && seen.path === '/embed') {
    return { json: change(inputs.map((text) => vectorOf(text, dims))), headers: computed(inputs) };
  }
  if (kind === 'splade' && seen.path === '/embed_sparse') {
    return { json: change(inputs.map(weightsOf)), headers: computed(inputs) };
  }
  return { status: 424, json: { error: `Model is not an ${seen.path} model`, error_type: 'Backend' } };
}

function tooMany(size: number, most: number): Reply {
  return validation(`batch size ${size} > maximum allowed batch size ${most}`);
}

function validation(error: string): Reply {
  return { status: 413, json: { error, error_type: 'Validation' } };
}

const computed = (texts: readonly string[]) => ({ 'x-compute-tokens': String(10 * texts.length) });

const rerankRequest = {
  model: z.string().min(1),
  query: z.string().min(1),
  documents: z.array(z.string()).min(1),
  top_n: z.number().int().min(1),
};
const cohereRequest = z.strictObject({ ...rerankRequest, max_tokens_per_doc: z.number().optional() });
const jinaRequest = z.strictObject({ ...rerankRequest, return_documents: z.boolean() });

/** POST /v2/rerank; fields that are not documented are refused, as Cohere does. */
export function cohere({ path, body }: Seen, { change = same }: Variation = {}): Reply {
  if (path !== '/v2/rerank') return { status: 404, json: { message: 'not found' } };
  const parsed = cohereRequest.safeParse(body);
  if (!parsed.success) return { status: 422, json: { id: '1', message: 'unknown field' } };
  const { query, documents } = parsed.data;
  return {
    json: {
      id: '07734bd2-2473-4f07-94e1-0d9f0e6843cf',
      results: change(best(query, documents)),
      meta: { api_version: { version: '2', is_experimental: false }, billed_units: { search_units: 1 } },
    },
  };
}

/** POST /v1/rerank */
export function jina({ path, body }: Seen, { change = same }: Variation = {}): Reply {
  if (path !== '/v1/rerank') return { status: 404, json: { detail: 'Not Found' } };
  const { model, query, documents } = jinaRequest.parse(body);
  return { json: { model, object: 'list', usage: { total_tokens: 815 }, results: change(best(query, documents)) } };
}

function best(query: string, documents: readonly string[]) {
  return documents
    .map((document, index) => ({ index, relevance_score: scoreOf(query, document) }))
    .sort((a, b) => b.relevance_score - a.relevance_score);
}

function same<Entry>(entries: readonly Entry[]): readonly Entry[] {
  return entries;
}
