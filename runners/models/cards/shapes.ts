import type { Architecture } from '../card.js';

/**
 * Transformers that several models share. Read on 2026-11-30: BERT, XLM-R and MiniLM from their papers, ModernBERT from
 * arXiv 2412.13663 (every third layer sees all tokens, the others 128), GTE from arXiv 2407.19669, Nomic from
 * arXiv 2402.01613, Qwen3 from arXiv 2505.09388, JinaBERT from arXiv 2310.19923 (positions by ALiBi, which multiplies
 * nothing) and the config.json of the rerankers, Granite from arXiv 2508.21085 and 2605.13521, DeBERTa-v3 from
 * arXiv 2111.09543 and its config.json (256 buckets of positions to each side). The conformance test holds each against the published number of weights.
 */
function encoder(layers: number, hidden: number, heads: number, vocabulary: number): Architecture {
  return { kind: 'encoder', layers, hidden, heads, feedForward: 4 * hidden, gated: false, vocabulary };
}

function gatedEncoder(layers: number, hidden: number, heads: number, vocabulary: number): Architecture {
  return { ...encoder(layers, hidden, heads, vocabulary), gated: true };
}

const wordPiece = 30_522;
const sentencePiece = 250_002;

export const bertTiny = encoder(2, 128, 2, wordPiece);
export const miniLm2 = encoder(2, 384, 12, wordPiece);
export const miniLm4 = encoder(4, 384, 12, wordPiece);
export const miniLm6 = encoder(6, 384, 12, wordPiece);
export const miniLm12 = encoder(12, 384, 12, wordPiece);
export const bertBase = encoder(12, 768, 12, wordPiece);
export const bertLarge = encoder(24, 1024, 16, wordPiece);
export const distilBert = encoder(6, 768, 12, wordPiece);

export const multilingualMiniLm12 = encoder(12, 384, 12, sentencePiece);
export const xlmRobertaBase = encoder(12, 768, 12, sentencePiece);
export const xlmRobertaLarge = encoder(24, 1024, 16, sentencePiece);

export const nomicBert = gatedEncoder(12, 768, 12, 30_528);
export const gteMultilingual = gatedEncoder(12, 768, 12, 250_048);

export const modernBertBase: Architecture = {
  ...gatedEncoder(22, 768, 12, 50_368),
  feedForward: 1152,
  window: 128,
  localLayers: 14,
};

export const graniteSmall: Architecture = { ...gatedEncoder(12, 384, 12, 50_368), window: 128, localLayers: 8 };

export const jinaBertBase = gatedEncoder(12, 768, 12, 30_528);
export const jinaBertTurbo = gatedEncoder(6, 384, 12, 61_056);
export const jinaBertTiny = gatedEncoder(4, 384, 12, 61_056);

function deberta(layers: number, hidden: number, heads: number): Architecture {
  return { ...encoder(layers, hidden, heads, 128_100), relativePositions: 512 };
}

export const debertaXsmall = deberta(12, 384, 6);
export const debertaBase = deberta(12, 768, 12);
export const debertaLarge = deberta(24, 1024, 16);

export const qwen3Small: Architecture = {
  kind: 'decoder',
  layers: 28,
  hidden: 1024,
  heads: 16,
  keyValueHeads: 8,
  headSize: 128,
  feedForward: 3072,
  gated: true,
  vocabulary: 151_669,
};

export const qwen2Small: Architecture = {
  kind: 'decoder',
  layers: 24,
  hidden: 896,
  heads: 14,
  keyValueHeads: 2,
  headSize: 64,
  feedForward: 4864,
  gated: true,
  vocabulary: 151_936,
};
