/** What goes to the thread of a session and comes back: flat typed arrays, so that everything can be handed over. */

/** Rows of token ids, not padded: row r is ids[offsets[r] .. offsets[r + 1]). */
export interface TokenBatch {
  readonly ids: Int32Array;
  readonly offsets: Int32Array;
  /** Segment of each token; null: all 0. */
  readonly typeIds: Uint8Array | null;
  /** How many tokens of each row are attended, from its start; null: all. */
  readonly attended: Int32Array | null;
}

export type Pooling = 'mean' | 'cls' | 'last-token';

/** What is read off the graph's output, in the session's own thread, since a tensor of logits is large. */
export type Reading =
  /** One vector per row. */
  | { readonly kind: 'pooled'; readonly pooling: Pooling; readonly normalize: boolean }
  /** One vector of unit length per token, without the tokens of these ids. */
  | { readonly kind: 'tokens'; readonly skip: readonly number[] }
  /** Weights of vocabulary entries: the maximum over attended positions, without positions of these ids. */
  | { readonly kind: 'sparse'; readonly logarithms: 1 | 2; readonly skip: readonly number[] }
  /** One logit, or the second label's minus the first's. */
  | { readonly kind: 'labels'; readonly labels: 1 | 2 }
  /** The difference of two logits at the last attended position. */
  | { readonly kind: 'words'; readonly yes: number; readonly no: number }
  /** The mean log-probability of tokens, each predicted at a position of its row. */
  | {
      readonly kind: 'likelihood';
      readonly offsets: Int32Array;
      readonly positions: Int32Array;
      readonly tokens: Int32Array;
    };

export interface Job {
  readonly batch: TokenBatch;
  readonly reading: Reading;
  /** What the decoder of an encoder-decoder is fed; null for graphs of one part. */
  readonly decoder: TokenBatch | null;
}

export type JobResult =
  /** Row-major vectors; of several per row, row r has those from offsets[r] to offsets[r + 1]. */
  | { readonly kind: 'vectors'; readonly width: number; readonly offsets: Int32Array; readonly values: Float32Array }
  | {
      readonly kind: 'sparse';
      readonly termCount: number;
      readonly offsets: Int32Array;
      readonly terms: Int32Array;
      readonly weights: Float32Array;
    }
  | { readonly kind: 'margins'; readonly values: Float64Array };

export interface TensorFacts {
  readonly name: string;
  /** `int64`, `float32`, … */
  readonly type: string;
  /** Numbers are fixed; names stand for sizes that follow the feeds. */
  readonly shape: readonly (number | string)[];
}

export interface GraphFacts {
  readonly inputs: readonly TensorFacts[];
  readonly outputs: readonly TensorFacts[];
}

/** An open graph in a thread of its own: `run()` of ONNX Runtime blocks the thread that it is called in. */
export interface Session {
  readonly facts: GraphFacts;
  /** Jobs run one after the other, in the order of the calls. Buffers of a job are handed over: it is used up. */
  readonly run: (job: Job) => Promise<JobResult>;
  readonly close: () => Promise<void>;
}

/** What a session is opened with. */
export interface SessionRequest {
  readonly path: string;
  /** The encoder's graph, where `path` is the decoder's. */
  readonly encoderPath: string | null;
  readonly device: string;
  readonly threads: number;
  /** The maximum of logits over positions is taken by the graph itself, where its file allows it. */
  readonly maximum?: 'in-graph';
  /** 2 where results must not depend on the batch: a single position is multiplied by another routine than many are. */
  readonly leastWidth: 1 | 2;
  /** Applied in order to every vector that is read; none for most models. */
  readonly projections: readonly Projection[];
}

/** A linear layer behind the graph: out = activation(weight · in + bias). */
export interface Projection {
  readonly inputs: number;
  readonly outputs: number;
  /** Row-major, `outputs` rows. */
  readonly weight: Float32Array;
  readonly bias: Float32Array | null;
  readonly activation: 'identity' | 'tanh';
}

/** The buffers of a value that can be handed over instead of copied. */
export function buffersOf(value: object): ArrayBuffer[] {
  return Object.values(value).flatMap((part: unknown) => {
    if (ArrayBuffer.isView(part)) return part.buffer instanceof ArrayBuffer ? [part.buffer] : [];
    return typeof part === 'object' && part !== null && !Array.isArray(part) ? buffersOf(part) : [];
  });
}
