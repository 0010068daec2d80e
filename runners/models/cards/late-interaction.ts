import type { LateInteractionCard } from '../card.js';
import { hub, noPrompts, weights } from './origins.js';
import { bertBase, miniLm12 } from './shapes.js';

/** ASCII punctuation, which ColBERT leaves out of documents (Khattab and Zaharia, arXiv 2004.12832). */
export const punctuation: readonly string[] = [...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'];

const colbert = {
  family: 'late-interaction',
  queryMarker: '[unused0]',
  documentMarker: '[unused1]',
  queryLength: 32,
  expansion: 'unattended',
  skiplist: punctuation,
  prompts: noPrompts,
  languages: ['en'],
  verified: false,
} as const;

/**
 * Late interaction. Facts: mteb, `colbert_models.py`, hakari-bench's cards, and the pins of public projects, read
 * 2026-11-30. PyLate models are missing because a list of skipped words was in none of these.
 */
export const lateInteractionCards: readonly LateInteractionCard[] = [
  {
    ...colbert,
    id: 'colbertv2.0',
    summary: 'English ColBERT, second version',
    origin: hub('colbert-ir/colbertv2.0', 'c1e84128e85ef755c096a95bdb06b47793b13acf'),
    files: { fp32: 'model.onnx' },
    maxLength: 180,
    documentLength: 180,
    dims: 128,
    parameters: weights(109_580_544, 23_440_896),
    architecture: bertBase,
    licence: 'MIT',
    paper: 'arXiv:2112.01488',
  },
  {
    ...colbert,
    id: 'answerai-colbert-small-v1',
    summary: 'English ColBERT of Answer.AI, small',
    origin: hub('answerdotai/answerai-colbert-small-v1', 'c72aa89bc61afdd85373643f3a1a75b2aad6e0fe'),
    files: { fp32: 'vespa_colbert.onnx' },
    maxLength: 300,
    documentLength: 300,
    dims: 96,
    parameters: weights(33_396_864, 11_720_448),
    architecture: miniLm12,
    licence: 'Apache-2.0',
    paper: 'https://www.answer.ai/posts/2024-08-13-small-but-mighty-colbert.html',
  },
];
