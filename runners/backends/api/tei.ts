import { z } from 'zod';
import type { ModelAccess, PretrainedModel } from '../../system.js';
import { readAddress } from './address.js';
import { byIndex, inOrder, parsedAnswer } from './answers.js';
import { denseEncoder, type EmbeddingApi, sparseEncoder } from './encoder.js';
import type { Answer } from './http.js';
import { httpClient } from './http.js';
import { readKey } from './keys.js';
import { apiId, checkRest } from './model-name.js';
import type { ApiOptions, ApiPlugin } from './plugin.js';
import { denseRow, finiteScore, type SparseRow, sparseRow } from './rows.js';
import { pairScorer, type RerankApi } from './scorer.js';
import { services } from './services.js';
import { type ApiModel, identityOf, openSession } from './session.js';
import type { Usage } from './spend.js';
import { readInfo, type TeiInfo } from './tei-info.js';

const service = services.tei;
/** The server refuses bodies above 2 MB: 600,000 times 3 bytes, and the JSON around them. */
const bodyTokens = 600_000;

/** One server, one model: GET /info says what it is, then POST /embed, /embed_sparse or /rerank. */
export function tei(options: ApiOptions): ApiPlugin {
  return {
    name: 'tei',
    summary: 'the model of a Text Embeddings Inference server: `tei:http://localhost:8080`',
    bind: async (rest, access) => {
      const { url, label } = readAddress(checkRest(service, rest), { name: 'tei:', example: 'http://localhost:8080' });
      const address = { url, label };
      const key = readKey(service, access.environment);
      const client = httpClient({ service, model: label, address, key }, options.waits);
      const info = readInfo((await client.get('/info')).json, { title: service.title, key });
      return bound(info, { ...apiOf(info), id: apiId(service, rest), address }, options);
    },
  };
}

function apiOf({ family, modelId, modelSha, dtype, version, maxLength, maxBatch, pooling }: TeiInfo) {
  const scores = family === 'reranker' ? 'raw, as they are before the sigmoid' : null;
  return {
    service,
    model: modelId,
    limits: { inputs: maxBatch, tokens: bodyTokens },
    truncation: `by the server, at the end, to ${maxLength ?? 'its number of'} tokens`,
    facts: { modelSha, dtype, version, pooling, scores },
  };
}

function bound(info: TeiInfo, api: ApiModel, { waits }: ApiOptions): PretrainedModel {
  const session = (access: ModelAccess) => openSession(api, access, waits);
  const base = {
    kind: 'pretrained' as const,
    id: api.id,
    summary: `${api.model} at ${api.address.label}`,
    identity: identityOf(api),
  };
  switch (info.family) {
    case 'dense':
      return {
        ...base,
        family: 'dense',
        similarity: 'cosine',
        open: async (access) => denseEncoder(session(access), embed, access),
      };
    case 'sparse':
      return { ...base, family: 'sparse', open: async (access) => sparseEncoder(session(access), embedSparse, access) };
    case 'reranker':
      return { ...base, family: 'reranker', open: async (access) => pairScorer(session(access), rerank, access) };
  }
}

const embed: EmbeddingApi<Float32Array> = {
  path: '/embed',
  body: (texts) => ({ inputs: texts, normalize: true, truncate: true }),
  read: (answer, reading) => {
    const rows = parsedAnswer(z.array(z.unknown()), answer.json, reading.title);
    return { rows: inOrder(rows, reading).map((row, i) => denseRow(row, reading, i)), usage: usageOf(answer) };
  },
};

const sparseSchema = z.array(z.array(z.object({ index: z.number(), value: z.unknown().optional() })));

const embedSparse: EmbeddingApi<SparseRow> = {
  path: '/embed_sparse',
  body: (texts) => ({ inputs: texts, truncate: true }),
  read: (answer, reading) => {
    const rows = parsedAnswer(sparseSchema, answer.json, reading.title);
    return { rows: inOrder(rows, reading).map((row, i) => sparseRow(row, reading, i)), usage: usageOf(answer) };
  },
};

const ranksSchema = z.array(z.object({ index: z.number(), score: z.unknown().optional() }));

/** Raw scores, because the sigmoid in float32 makes ties of the best. */
const rerank: RerankApi = {
  path: '/rerank',
  body: (query, texts) => ({ query, texts, raw_scores: true, return_text: false, truncate: true }),
  read: (answer, reading) => {
    const ranks = parsedAnswer(ranksSchema, answer.json, reading.title);
    const scores = byIndex(ranks, reading).map(({ score }, i) => finiteScore(score, reading, i));
    return { scores, usage: usageOf(answer) };
  },
};

/** The body says nothing of tokens; a header does. */
function usageOf({ headers }: Answer): Usage {
  const text = headers.get('x-compute-tokens') ?? '';
  return { promptTokens: /^\d{1,15}$/.test(text) ? Number(text) : null, searchUnits: null };
}
