import { z } from 'zod';
import { inOrder, parsedAnswer, tokenCount } from './answers.js';
import { denseEncoder, type EmbeddingApi } from './encoder.js';
import { namedPlugin } from './named-model.js';
import { denseRow } from './rows.js';

/** POST /api/embed, which gives vectors of unit length. */
export const ollama = namedPlugin({
  name: 'ollama',
  summary: 'embeddings of a model that Ollama runs (OLLAMA_HOST)',
  // Ollama embeds the texts of a request a few at a time: small requests show progress and stay within the time limit.
  limits: () => ({ inputs: 16, tokens: 100_000 }),
  truncation: "by Ollama, at the end, to the model's context",
  model: (model) => ({
    kind: { family: 'dense', similarity: 'cosine' },
    open: (session, access) => denseEncoder(session, embeddings(model), access),
  }),
});

const answerSchema = z.object({ embeddings: z.array(z.unknown()), prompt_eval_count: tokenCount });

function embeddings(model: string): EmbeddingApi<Float32Array> {
  return {
    path: '/api/embed',
    body: (texts) => ({ model, input: texts, truncate: true }),
    read: ({ json }, reading) => {
      const { embeddings: found, prompt_eval_count: promptTokens } = parsedAnswer(answerSchema, json, reading.title);
      return {
        rows: inOrder(found, reading).map((embedding, i) => denseRow(embedding, reading, i)),
        usage: { promptTokens: promptTokens ?? null, searchUnits: null },
      };
    },
  };
}
