import { z } from 'zod';
import { dtypes } from '../../models/card.js';

/** The facts of a card as tenbin.json may give them, and as a card read from a folder has to have them. */
const text = z.string().max(20_000);
const name = z.string().max(200);
const count = z.number().int().min(1).max(10_000_000);
const weights = z.number().int().min(1).max(1e15);
const prompts = z.strictObject({ query: text, document: text });

/** Forward slashes, below the folder. */
const file = z
  .string()
  .max(300)
  .refine((path) => !/^[/\\]|^[A-Za-z]:|\\|\0/.test(path) && !path.split('/').includes('..') && path !== '', {
    message: 'a path below the folder is wanted',
  });

const architecture = z.strictObject({
  kind: z.enum(['encoder', 'decoder', 'encoder-decoder']),
  layers: count,
  decoderLayers: count.exactOptional(),
  hidden: count,
  heads: count,
  keyValueHeads: count.exactOptional(),
  headSize: count.exactOptional(),
  feedForward: count,
  gated: z.boolean(),
  vocabulary: count,
  experts: count.exactOptional(),
  activeExperts: count.exactOptional(),
  sharedExperts: count.exactOptional(),
  sharedFeedForward: count.exactOptional(),
  sharedGate: z.literal(true).exactOptional(),
  denseLayers: count.exactOptional(),
  denseFeedForward: count.exactOptional(),
  relativePositions: count.exactOptional(),
  window: count.exactOptional(),
  localLayers: z.number().int().min(0).max(10_000).exactOptional(),
});

const common = {
  summary: z.string().min(1).max(500),
  files: z.partialRecord(z.enum(dtypes), file),
  maxLength: count,
  parameters: z
    .strictObject({ total: weights, active: weights.exactOptional(), embedding: weights.exactOptional() })
    .exactOptional(),
  architecture: architecture.exactOptional(),
  languages: z.array(z.string().max(40)).max(500),
  licence: z.string().min(1).max(200),
  paper: z.string().max(500).exactOptional(),
};

export const factSchemas = {
  dense: z.strictObject({
    ...common,
    pooling: z.enum(['mean', 'cls', 'last-token']),
    normalize: z.boolean(),
    dims: count,
    matryoshkaDims: z.array(count).max(100),
    similarity: z.enum(['cosine', 'dot']),
    prompts,
  }),
  sparse: z.strictObject({
    ...common,
    specialTokens: z.enum(['kept', 'masked']),
    queries: z.union([z.literal('model'), z.strictObject({ idf: file })]),
    logarithms: z.union([z.literal(1), z.literal(2)]),
    prompts,
  }),
  'late-interaction': z.strictObject({
    ...common,
    dims: count,
    queryMarker: name.min(1).nullable(),
    documentMarker: name.min(1).nullable(),
    queryLength: count,
    documentLength: count,
    expansion: z.enum(['attended', 'unattended']).nullable(),
    skiplist: z.array(name).max(10_000),
    prompts,
  }),
  reranker: z.strictObject({
    ...common,
    method: z.enum(['cross-encoder', 'yes-no', 'query-likelihood']),
    labels: z.union([z.literal(1), z.literal(2)]),
    template: text
      .refine((template) => template.includes('{query}') && template.includes('{document}'), {
        message: '{query} and {document} must be in it',
      })
      .nullable(),
    words: z.strictObject({ yes: name.min(1), no: name.min(1) }).nullable(),
  }),
} as const;

export const families = ['dense', 'sparse', 'late-interaction', 'reranker'] as const;
