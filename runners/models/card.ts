/** A model as a card of facts: what it is, where its files are, and how its tensors are read. Plain data. */

/** Number formats of a graph's weights, as its file name says. */
export const dtypes = ['fp32', 'fp16', 'int8', 'uint8', 'q4', 'q4f16', 'w8'] as const;
export type Dtype = (typeof dtypes)[number];

export type ModelOrigin =
  /** A folder below runners/models/embedded: it comes with the product. */
  | { readonly kind: 'embedded'; readonly folder: string }
  | { readonly kind: 'folder'; readonly path: string }
  /** A repository of the hub; `revision` is a commit of 40 hex digits, or a branch or tag until it is resolved. */
  | { readonly kind: 'hub'; readonly repo: string; readonly revision: string };

/** Counts of weights: all, used for one token, in the input embedding. */
export interface ParameterCounts {
  readonly total: number;
  readonly active?: number;
  readonly embedding?: number;
}

/** What the FLOPs of a forward pass follow from; names as in config.json. */
export interface Architecture {
  readonly kind: 'encoder' | 'decoder' | 'encoder-decoder';
  readonly layers: number;
  readonly decoderLayers?: number;
  readonly hidden: number;
  readonly heads: number;
  readonly keyValueHeads?: number;
  readonly headSize?: number;
  readonly feedForward: number;
  /** Gated feed-forward layers have three matrices, others two. */
  readonly gated: boolean;
  readonly vocabulary: number;
  /** Mixture of experts: `feedForward` is then an expert's; a router chooses `activeExperts`, `sharedExperts` always run. */
  readonly experts?: number;
  readonly activeExperts?: number;
  readonly sharedExperts?: number;
  /** Width of a shared expert where it is not `feedForward`, and whether a weight of its own (hidden × 1) scales it. */
  readonly sharedFeedForward?: number;
  readonly sharedGate?: true;
  /** Layers of a mixture that have one plain feed-forward network instead, and its width. */
  readonly denseLayers?: number;
  readonly denseFeedForward?: number;
  /** DeBERTa: rows of the table of relative positions that queries and keys are multiplied with in every layer. */
  readonly relativePositions?: number;
  /** Tokens that a layer with local attention sees, and how many layers are local. */
  readonly window?: number;
  readonly localLayers?: number;
}

export interface Prompts {
  readonly query: string;
  readonly document: string;
}

interface CardFacts {
  /** The card's id, the folder as it was written, or `hub:org/name[@revision]`. */
  readonly id: string;
  readonly summary: string;
  readonly origin: ModelOrigin;
  /** The graph of each number format, relative to the model's folder. */
  readonly files: Readonly<Partial<Record<Dtype, string>>>;
  /** Tokens of one text (or pair), special ones included. */
  readonly maxLength: number;
  readonly parameters?: ParameterCounts;
  readonly architecture?: Architecture;
  /** ISO 639-1 codes; `multilingual` where there are too many to list. */
  readonly languages: readonly string[];
  readonly licence: string;
  /** A DOI, arXiv id or address. */
  readonly paper?: string;
  /** A test of ours compares its outputs with reference vectors. */
  readonly verified: boolean;
}

export interface DenseCard extends CardFacts {
  readonly family: 'dense';
  readonly pooling: 'mean' | 'cls' | 'last-token';
  readonly normalize: boolean;
  readonly dims: number;
  /** Lengths that the model was trained to be cut to; empty where it was not. */
  readonly matryoshkaDims: readonly number[];
  readonly similarity: 'cosine' | 'dot';
  readonly prompts: Prompts;
}

export interface SparseCard extends CardFacts {
  readonly family: 'sparse';
  /** Whether the positions of special tokens take part in the maximum. */
  readonly specialTokens: 'kept' | 'masked';
  /** `model`: queries go through the graph; a file name: inference-free, weights of query tokens from that table. */
  readonly queries: 'model' | { readonly idf: string };
  /** How often log(1 + ·) is applied after ReLU: once in SPLADE, twice in SPLADE-v3-doc-like models. */
  readonly logarithms: 1 | 2;
  readonly prompts: Prompts;
}

export interface LateInteractionCard extends CardFacts {
  readonly family: 'late-interaction';
  readonly dims: number;
  /** Tokens that are put in after the first special token, by their text in the vocabulary. */
  readonly queryMarker: string | null;
  readonly documentMarker: string | null;
  /** Tokens of a query and of a document, marker and special tokens included. */
  readonly queryLength: number;
  readonly documentLength: number;
  /** Queries filled up with mask tokens to `queryLength`; attended or not, they are scored. */
  readonly expansion: 'attended' | 'unattended' | null;
  /** Tokens of documents that are attended but not scored, by their text. */
  readonly skiplist: readonly string[];
  readonly prompts: Prompts;
}

export interface RerankerCard extends CardFacts {
  readonly family: 'reranker';
  /**
   * `cross-encoder`: one logit, or the difference of two labels. `yes-no`: the difference of two words' logits at the last
   * position. `query-likelihood`: the mean log-probability of the query's tokens after the document.
   */
  readonly method: 'cross-encoder' | 'yes-no' | 'query-likelihood';
  readonly labels: 1 | 2;
  /** Around `{query}` and `{document}`, for language models; the document is what is cut. Null for cross-encoders. */
  readonly template: string | null;
  /** The two words whose logits are compared. */
  readonly words: { readonly yes: string; readonly no: string } | null;
}

export type ModelCard = DenseCard | SparseCard | LateInteractionCard | RerankerCard;

/** A card with its number format chosen and its files found: what an engine opens. */
export interface ModelFiles<Card extends ModelCard = ModelCard> {
  readonly card: Card;
  readonly dtype: Dtype;
  /** Absolute path of the folder that holds `card.files`, tokenizer.json and the configs. */
  readonly folder: string;
}
