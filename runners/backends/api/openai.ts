import { z } from 'zod';
import { isDefaultHost } from './address.js';
import { byIndex, inOrder, parsedAnswer, type Reading, tokenCount } from './answers.js';
import { denseEncoder, type EmbeddingApi } from './encoder.js';
import { namedPlugin } from './named-model.js';
import { denseRow } from './rows.js';

/** 2048 inputs and 300,000 tokens are OpenAI's own limits; servers that speak its form are often smaller machines. */
const vendorLimits = { inputs: 2048, tokens: 300_000 };
const otherLimits = { inputs: 64, tokens: 300_000 };

/** POST /embeddings. The whole vector is asked for: to cut it is the variant `truncate`. */
export const openai = namedPlugin({
  name: 'openai',
  summary: 'embeddings of OpenAI, or of any server that speaks its form (OPENAI_BASE_URL)',
  limits: (service, address) => (isDefaultHost(service, address) ? vendorLimits : otherLimits),
  truncation: 'none asked for: OpenAI refuses a text that is too long',
  model: (model) => ({
    kind: { family: 'dense', similarity: 'cosine' },
    open: (session, access) => denseEncoder(session, embeddings(model), access),
  }),
});

function embeddings(model: string): EmbeddingApi<Float32Array> {
  return {
    path: '/embeddings',
    body: (texts) => ({ model, input: texts, encoding_format: 'float' }),
    read: ({ json }, reading) => {
      const { data, usage } = parsedAnswer(answerSchema, json, reading.title);
      return {
        rows: placed(data, reading).map(({ embedding }, i) => denseRow(embedding, reading, i)),
        usage: { promptTokens: usage?.prompt_tokens ?? null, searchUnits: null },
      };
    },
  };
}

const answerSchema = z.object({
  data: z.array(z.object({ index: z.number().optional(), embedding: z.unknown().optional() })),
  usage: z.object({ prompt_tokens: tokenCount }).nullish().catch(null),
});
type Entry = z.infer<typeof answerSchema>['data'][number];

/** Some servers leave every index out and answer in order. */
function placed(data: readonly Entry[], reading: Reading): readonly Entry[] {
  if (data.every(({ index }) => index === undefined)) return inOrder(data, reading);
  return byIndex(
    data.map((entry) => ({ ...entry, index: entry.index ?? -1 })),
    reading,
  );
}
