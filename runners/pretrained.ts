import type { Json } from '../core/canonical.js';
import type { Digest } from '../core/digest.js';
import type { ModelCost } from './cost/types.js';
import type { OpenModel } from './open-model.js';

export type EncodingFamily = 'dense' | 'sparse' | 'late-interaction';

/** A model whose weights come from a file or stand behind a service: it encodes each text, or scores each pair, by itself. */
export interface PretrainedModel {
  readonly kind: 'pretrained';
  readonly family: EncodingFamily | 'reranker';
  readonly id: string;
  readonly summary: string;
  /** Everything that changes a number, as far as it is known before the model is opened: part of digests and cache keys. */
  readonly identity: Json;
  /** Of dense models; rows of others are used as they are. */
  readonly similarity?: 'cosine' | 'dot';
  /** What its FLOPs follow from; absent where its layers are not known, as behind a service. */
  readonly cost?: ModelCost;
  /** A reranker that orders a list as far as is wanted, instead of scoring each pair. */
  readonly ranksLists?: true;
  readonly open: (access: ModelAccess) => Promise<OpenModel>;
}

export interface DownloadProgress {
  readonly file: string;
  readonly doneBytes: number;
  readonly totalBytes: number;
}

/** What opening a model may use. */
export interface ModelAccess {
  /** Execution provider: `cpu`, `cuda`, `webgpu`. */
  readonly device: string;
  /** Threads of one session. */
  readonly threads: number;
  /** Addresses and keys of services. Never printed, never stored. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folder for logs of calls to services. */
  readonly logFolder: string;
  readonly onNote: (text: string) => void;
  /** Bytes of a file that is being downloaded. */
  readonly onDownload?: (step: DownloadProgress) => void;
}

/** Named typed arrays with facts about them, as the vector cache keeps them. */
export interface CacheEntry {
  readonly facts: Readonly<Record<string, Json>>;
  readonly arrays: Readonly<Record<string, Float32Array | Float64Array | Int32Array | Uint8Array>>;
}

/** What models gave before, by the digest of everything that changes it. A damaged entry counts as absent. */
export interface VectorCache {
  readonly get: (key: Digest) => Promise<CacheEntry | null>;
  readonly put: (key: Digest, entry: CacheEntry) => Promise<void>;
}

/** The way to files, devices, services and the cache: made at the edge, handed to whoever runs a model. */
export interface ModelRuntime {
  /** The open model of that key; several users of one key share it. */
  readonly use: (model: PretrainedModel) => Promise<OpenModel>;
  readonly cache: VectorCache | null;
  /** Bytes of embeddings to hold at once; a larger corpus is scored in blocks from the cache. */
  readonly memoryBytes: number;
  /** Progress: texts or pairs that a model has done. */
  readonly onStep?: (done: number) => void;
}
