import { TenbinError } from '../../../core/errors.js';
import type { GraphFacts, Reading, TensorFacts } from './job.js';

/** Names by which exporters call what a reading wants, best first, and how many axes it has. */
interface Wanted {
  readonly names: readonly string[];
  readonly rank: number;
}

/**
 * Vectors per token come before vectors per text, since the card says how to pool and a graph's own pooling may be
 * another one.
 */
const wanted: Readonly<Record<Reading['kind'], readonly Wanted[]>> = {
  pooled: [
    { names: ['last_hidden_state', 'token_embeddings', 'hidden_states'], rank: 3 },
    { names: ['sentence_embedding', 'pooled_embeddings', 'text_embeds', 'embeddings'], rank: 2 },
  ],
  tokens: [{ names: ['token_embeddings', 'last_hidden_state', 'hidden_states'], rank: 3 }],
  sparse: [
    { names: ['logits', 'prediction_logits', 'token_logits'], rank: 3 },
    { names: ['sentence_embedding', 'sparse_embedding', 'logits'], rank: 2 },
  ],
  labels: [
    { names: ['logits', 'scores', 'score'], rank: 2 },
    { names: ['logits', 'scores', 'score'], rank: 1 },
  ],
  words: [{ names: ['logits', 'lm_logits'], rank: 3 }],
  likelihood: [{ names: ['logits', 'lm_logits'], rank: 3 }],
};

/** The output that a reading is taken from: by name, or the only one with as many axes. */
export function outputFor(kind: Reading['kind'], { outputs }: GraphFacts): TensorFacts {
  for (const { names, rank } of wanted[kind]) {
    for (const name of names) {
      const named = outputs.find((output) => output.name === name && output.shape.length === rank);
      if (named !== undefined) return named;
    }
  }
  for (const { rank } of wanted[kind]) {
    const alike = outputs.filter(({ shape }) => shape.length === rank);
    if (alike.length === 1) return alike[0];
  }
  throw new TenbinError('refused', {
    what: 'The graph has no output that fits the card',
    value: outputs.map(({ name, shape }) => `${name} [${shape.join(', ')}]`).join(', '),
    fix: `Export it with one of ${[...new Set(wanted[kind].flatMap(({ names }) => names))].join(', ')}.`,
  });
}
