import { z } from 'zod';
import type { Architecture } from '../../../models/card.js';
import { fieldsOf, type JsonFile } from '../json-file.js';
import { layerCount, size } from './bounds.js';
import { checkAtMost } from './possible.js';
import { linear } from './stack.js';

/** `mixtral`: experts of the size of `intermediate_size`; Qwen's have one of their own, and some a shared expert. */
export type Mixture = 'mixtral' | 'experts' | 'shared-expert';

/** Layers of Qwen's mixtures that have one plain feed-forward network. */
export const mixtureSchema = {
  decoder_sparse_step: layerCount.nullish(),
  mlp_only_layers: z.array(z.number().int().min(0).max(1_000)).max(1_000).nullish(),
} as const;

const mixtralSchema = z.object({ num_local_experts: size, num_experts_per_tok: size });
const expertsSchema = z.object({ num_experts: size, num_experts_per_tok: size, moe_intermediate_size: size });
const sharedSchema = expertsSchema.extend({ shared_expert_intermediate_size: size });

/** Fields that a mixture cannot do without, besides those of every decoder. */
export const mixtureNeeds: Readonly<Record<Mixture, readonly string[]>> = {
  mixtral: Object.keys(mixtralSchema.shape),
  experts: Object.keys(expertsSchema.shape),
  'shared-expert': Object.keys(sharedSchema.shape),
};

interface Layers {
  readonly hidden_size: number;
  readonly intermediate_size: number;
  readonly num_hidden_layers: number;
  readonly decoder_sparse_step?: number | null | undefined;
  readonly mlp_only_layers?: readonly number[] | null | undefined;
}

interface MixtureFacts {
  readonly facts: Partial<Architecture>;
  /** Weights of all feed-forward layers, and those that one token is multiplied with. */
  readonly weights: number;
  readonly activeWeights: number;
  readonly denseAt: readonly number[];
}

interface Experts {
  readonly all: number;
  readonly active: number;
  readonly width: number;
  /** Width of the shared expert, which a weight of its own scales. */
  readonly shared?: number;
}

export function mixtureOf(config: JsonFile, read: Layers, mixture: Mixture): MixtureFacts {
  const { hidden_size: hidden, intermediate_size: plainWidth } = read;
  const experts = expertsOf(config, read, mixture);
  const allField = mixture === 'mixtral' ? 'num_local_experts' : 'num_experts';
  checkAtMost(config, ['num_experts_per_tok', experts.active], [allField, experts.all]);
  const denseAt = mixture === 'mixtral' ? [] : plainLayers(read);
  const mixed = read.num_hidden_layers - denseAt.length;
  const network = (width: number) => 3 * linear(hidden, width, 'plain');
  const always = hidden * experts.all + (experts.shared === undefined ? 0 : network(experts.shared) + hidden);
  const withExperts = (count: number) =>
    mixed * (always + count * network(experts.width)) + denseAt.length * network(plainWidth);
  return {
    facts: {
      feedForward: experts.width,
      experts: experts.all,
      activeExperts: experts.active,
      ...(experts.shared !== undefined && { sharedExperts: 1, sharedFeedForward: experts.shared, sharedGate: true }),
      ...(denseAt.length > 0 && { denseLayers: denseAt.length, denseFeedForward: plainWidth }),
    },
    weights: withExperts(experts.all),
    activeWeights: withExperts(experts.active),
    denseAt,
  };
}

function expertsOf(config: JsonFile, { intermediate_size: width }: Layers, mixture: Mixture): Experts {
  if (mixture === 'mixtral') {
    const read = fieldsOf(config, mixtralSchema);
    return { all: read.num_local_experts, active: read.num_experts_per_tok, width };
  }
  const read = mixture === 'experts' ? fieldsOf(config, expertsSchema) : fieldsOf(config, sharedSchema);
  const experts = { all: read.num_experts, active: read.num_experts_per_tok, width: read.moe_intermediate_size };
  if (!('shared_expert_intermediate_size' in read)) return experts;
  return { ...experts, shared: Number(read.shared_expert_intermediate_size) };
}

/** Experts in every `decoder_sparse_step`-th layer, but not in the layers of `mlp_only_layers`. */
function plainLayers(read: Layers): readonly number[] {
  const step = read.decoder_sparse_step ?? 1;
  const plain = new Set(read.mlp_only_layers ?? []);
  const numbers = Array.from({ length: read.num_hidden_layers }, (_, i) => i);
  return numbers.filter((i) => plain.has(i) || (i + 1) % step !== 0);
}
