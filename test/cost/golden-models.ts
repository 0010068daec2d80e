import { readFileSync } from 'node:fs';
import type { Architecture } from '../../runners/models/card.js';

/** Configurations and counts of ../shared/fixtures/flops, where every matrix multiplication is listed and added up. */
interface GoldenConfig {
  readonly kind: 'encoder' | 'decoder' | 'encdec';
  readonly L: number;
  readonly Ld?: number;
  readonly d: number;
  readonly h: number;
  readonly kv: number;
  readonly hd: number;
  readonly ff: number;
  readonly gated: boolean;
  readonly V: number;
  readonly pooler?: boolean;
  readonly experts?: number;
  readonly topk?: number;
  readonly shared?: number;
}

export type GoldenRow = { readonly model: string } & (
  | {
      readonly mode: 'encode';
      readonly T: number;
      readonly body: number;
      readonly heads: Readonly<Record<string, number>>;
    }
  | {
      readonly mode: 'prefill';
      readonly T: number;
      readonly body: number;
      readonly lmHeadLast: number;
      readonly lmHeadAll: number;
      readonly yesNoRowsOnly: number;
      readonly causalUsefulBody: number;
    }
  | {
      readonly mode: 'generate';
      readonly prompt: number;
      readonly generated: number;
      readonly bodyKvCache: number;
      readonly bodyNoCache: number;
      readonly lmHead: number;
    }
  | {
      readonly mode: 'encdec';
      readonly src: number;
      readonly decPrefix: number;
      readonly generated: number;
      readonly encoder: number;
      readonly decoder: number;
      readonly lmHeadLast: number;
      readonly lmHeadAll: number;
    }
);

export interface GoldenMatmul {
  readonly name: string;
  readonly shape: readonly number[];
  readonly count: number;
  readonly flops: number;
}

const read = (name: string) => JSON.parse(readFileSync(new URL(`../golden/flops/${name}`, import.meta.url), 'utf8'));
const golden = read('golden_flops.json');

export const goldenRows: readonly GoldenRow[] = golden.rows;
export const goldenShapes: ReadonlyMap<string, readonly GoldenMatmul[]> = new Map(
  Object.entries(read('matmul_shapes.json')),
);
const configs: ReadonlyMap<string, GoldenConfig> = new Map(Object.entries(golden.configs));

export function goldenArchitecture(model: string): Architecture {
  const config = configs.get(model);
  if (config === undefined) throw new Error(`no ${model}`);
  return {
    kind: config.kind === 'encdec' ? 'encoder-decoder' : config.kind,
    layers: config.L,
    ...(config.Ld !== undefined && { decoderLayers: config.Ld }),
    hidden: config.d,
    heads: config.h,
    keyValueHeads: config.kv,
    headSize: config.hd,
    feedForward: config.ff,
    gated: config.gated,
    vocabulary: config.V,
    ...(config.experts !== undefined && { experts: config.experts }),
    ...(config.topk !== undefined && { activeExperts: config.topk }),
    ...(config.shared !== undefined && { sharedExperts: config.shared }),
  };
}
