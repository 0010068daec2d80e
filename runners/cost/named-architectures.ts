import type { Architecture } from '../models/card.js';

/**
 * Language models that papers on reranking use, known by their layers alone: FLOPs follow from these, and nothing here can
 * be run. Flan-T5 from the config.json of google/flan-t5-* (arXiv 2210.11416), Qwen2.5 from those of Qwen/Qwen2.5-*-Instruct
 * (arXiv 2412.15115; `use_sliding_window` is off), Llama from arXiv 2407.21783, table 3. A test holds each against the
 * published number of weights. The base and the instruct models have the same layers.
 */
export interface NamedArchitecture {
  readonly name: string;
  readonly architecture: Architecture;
  /** Positions it was trained for; null where they are relative. */
  readonly positions: number | null;
}

function flanT5(name: string, hidden: number, heads: number, feedForward: number): NamedArchitecture {
  const layers = { kind: 'encoder-decoder', layers: 24, decoderLayers: 24, headSize: 64, gated: true } as const;
  return { name, architecture: { ...layers, hidden, heads, feedForward, vocabulary: 32_128 }, positions: null };
}

type Sizes = Pick<Architecture, 'layers' | 'hidden' | 'heads' | 'keyValueHeads' | 'feedForward' | 'vocabulary'>;

function decoders(names: readonly string[], positions: number, sizes: Sizes): readonly NamedArchitecture[] {
  const architecture: Architecture = { kind: 'decoder', headSize: 128, gated: true, ...sizes };
  return names.map((name) => ({ name, architecture, positions }));
}

const threeBillion = {
  layers: 36,
  hidden: 2048,
  heads: 16,
  keyValueHeads: 2,
  feedForward: 11_008,
  vocabulary: 151_936,
};
const sevenBillion = {
  layers: 28,
  hidden: 3584,
  heads: 28,
  keyValueHeads: 4,
  feedForward: 18_944,
  vocabulary: 152_064,
};
const fourteenBillion = {
  layers: 48,
  hidden: 5120,
  heads: 40,
  keyValueHeads: 8,
  feedForward: 13_824,
  vocabulary: 152_064,
};
const llama = { layers: 32, hidden: 4096, heads: 32, keyValueHeads: 8, feedForward: 14_336, vocabulary: 128_256 };

export const namedArchitectures: readonly NamedArchitecture[] = [
  flanT5('flan-t5-large', 1024, 16, 2816),
  flanT5('flan-t5-xl', 2048, 32, 5120),
  flanT5('flan-t5-xxl', 4096, 64, 10_240),
  ...decoders(['qwen2.5-3b-instruct', 'qwen2.5-3b'], 32_768, threeBillion),
  ...decoders(['qwen2.5-7b-instruct', 'qwen2.5-7b'], 32_768, sevenBillion),
  ...decoders(['qwen2.5-14b-instruct', 'qwen2.5-14b'], 32_768, fourteenBillion),
  ...decoders(['llama-3.1-8b-instruct', 'llama-3.1-8b'], 131_072, llama),
];
