import { TenbinError } from '../../core/errors.js';
import type { Architecture } from '../models/card.js';
import { exact } from './exact.js';
import { headMatmuls } from './head.js';
import { attentionWidth } from './layer.js';
import { crossAttention, feedForward, type StackPasses, selfAttention } from './matmuls.js';
import { cachedSteps, encoderPass, type Passes, prefill, wholeSteps } from './passes.js';
import type { Matmul, ModelCost } from './types.js';

export interface ForwardRequest extends ModelCost {
  /** Positions of the encoder or of the prompt; of an encoder-decoder the prefix of its decoder. */
  readonly tokens: number;
  /** Positions of an encoder-decoder's source. */
  readonly sourceTokens?: number;
  /** Tokens to generate; the pass over the prompt gives the first one. One pass where it is left out. */
  readonly generate?: number;
  /** Whether keys and values of earlier positions are kept from pass to pass; kept where it is left out. */
  readonly cache?: 'kept' | 'none';
  /** Positions whose logits are read, for a head that reads some. */
  readonly read?: number;
}

export interface ForwardFlops {
  /** Encoder and decoder layers. */
  readonly body: number;
  readonly head: number;
  readonly total: number;
  /** The body without pairs of positions that a causal mask hides; dense kernels compute them all the same. */
  readonly causalUseful: number;
  readonly matmuls: readonly Matmul[];
}

/**
 * FLOPs of a forward pass, or of the passes that generate a text, as the list of their matrix multiplications (metrics.md
 * §D.1). Every figure is a whole number, exact below 2^53; beyond it is an error.
 */
export function forwardFlops(request: ForwardRequest): ForwardFlops {
  checkTokens(request);
  const { body, hidden } = request.architecture.kind === 'encoder-decoder' ? bothBodies(request) : oneBody(request);
  const head = headOf(request);
  const bodyFlops = sum('the layers', body);
  const headFlops = sum('the head', head);
  return {
    body: bodyFlops,
    head: headFlops,
    total: exact('FLOPs', bodyFlops + headFlops),
    causalUseful: bodyFlops - hidden,
    matmuls: [...body, ...head],
  };
}

/** A backward pass is twice the forward one: gradients of the inputs and of the weights (Kaplan et al. 2020, §2.1). */
export function backwardFlops(forward: number): number {
  return exact('FLOPs of a backward pass', 2 * forward);
}

interface Body {
  readonly body: readonly Matmul[];
  /** FLOPs of pairs that the mask hides. */
  readonly hidden: number;
}

function oneBody(request: ForwardRequest): Body {
  const { architecture: of, tokens } = request;
  const all = of.kind === 'encoder' ? [encoderPass(tokens)] : decoderPasses(request);
  const stacks = all.map((passes): StackPasses => ({ of, prefix: '', layers: of.layers, passes }));
  return {
    body: stacks.flatMap((stack) => [...selfAttention(stack), ...feedForward(stack)]),
    hidden: all.reduce((total, passes) => total + hiddenFlops(of, of.layers, passes), 0),
  };
}

function bothBodies(request: ForwardRequest): Body {
  const { architecture: of, sourceTokens: source = 0, cache } = request;
  const layers = of.decoderLayers ?? of.layers;
  const encoder: StackPasses = { of, prefix: 'enc.', layers: of.layers, passes: encoderPass(source) };
  const all = decoderPasses(request);
  const body = all.flatMap((passes, i) => {
    const stack = (prefix: string): StackPasses => ({ of, prefix, layers, passes });
    const projected = i === 0 || cache === 'none' ? passes.count : 0;
    return [
      ...selfAttention(stack('dec.self.')),
      ...crossAttention(stack('dec.cross.'), source, projected),
      ...feedForward(stack('dec.')),
    ];
  });
  return {
    body: [...selfAttention(encoder), ...feedForward(encoder), ...body],
    hidden: all.reduce((total, passes) => total + hiddenFlops(of, layers, passes), 0),
  };
}

function decoderPasses({ tokens, generate = 1, cache = 'kept' }: ForwardRequest): readonly Passes[] {
  const first = prefill(tokens);
  if (generate <= 1) return [first];
  return [first, cache === 'kept' ? cachedSteps(tokens, generate - 1) : wholeSteps(tokens, generate - 1)];
}

function hiddenFlops(of: Architecture, layers: number, { pairs, usefulPairs }: Passes): number {
  const local = of.window === undefined ? 0 : Math.min(of.localLayers ?? 0, layers);
  const unseen = (window?: number) => pairs(window) - usefulPairs(window);
  return 4 * attentionWidth(of) * ((layers - local) * unseen() + local * unseen(of.window));
}

/** A language model's head comes with every pass; the logits of a later one are those of its last position, or of all. */
function headOf(request: ForwardRequest): readonly Matmul[] {
  const { architecture: of, head, read } = request;
  const [first, later] = of.kind === 'encoder' ? [encoderPass(request.tokens)] : decoderPasses(request);
  const over = (passes: Passes | undefined, positions: number, count: number) =>
    passes === undefined ? [] : matmulsOf(request, { positions, count, ...(read !== undefined && { read }) });
  if (head.kind !== 'language-model') return over(first, request.tokens, 1);
  if (later === undefined || head.positions === 'last')
    return [...over(first, request.tokens, 1), ...over(later, 1, later?.count ?? 0)];
  if (later.count === later.positions) return [...over(first, request.tokens, 1), ...over(later, 1, later.count)];
  // Passes of different lengths: one matrix multiplication over all their positions costs the same.
  return [...over(first, request.tokens, 1), ...over(later, later.positions, 1)];
}

interface HeadPasses {
  readonly positions: number;
  readonly count: number;
  readonly read?: number;
}

function matmulsOf({ architecture, head }: ForwardRequest, { positions, count, read }: HeadPasses): readonly Matmul[] {
  const { hidden, vocabulary } = architecture;
  const input = { hidden, vocabulary, positions, ...(read !== undefined && { read }) };
  return headMatmuls(head, input).map(({ name, rows, inner, columns }) => ({
    name,
    part: 'head',
    shape: [1, rows, inner, columns],
    count,
    flops: 2 * rows * inner * columns * count,
  }));
}

function sum(of: string, matmuls: readonly Matmul[]): number {
  return exact(
    `FLOPs of ${of}`,
    matmuls.reduce((total, { name, flops }) => total + exact(`FLOPs of ${name}`, flops), 0),
  );
}

function checkTokens({ architecture, tokens, sourceTokens, generate }: ForwardRequest): void {
  const { kind } = architecture;
  whole('tokens', tokens);
  if (kind === 'encoder-decoder') whole('source tokens', sourceTokens ?? 0);
  if (kind !== 'encoder-decoder' && sourceTokens !== undefined)
    throw wrong('Only an encoder-decoder has source tokens', kind, 'Give the length of the text as tokens.');
  if (generate === undefined) return;
  whole('tokens to generate', generate);
  if (kind === 'encoder') throw wrong('An encoder generates nothing', kind, 'Leave out the tokens to generate.');
}

function whole(what: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1)
    throw wrong(`The number of ${what} is a whole number from 1 on`, String(value), 'Give one.');
}

function wrong(what: string, value: string, fix: string): TenbinError {
  return new TenbinError('usage', { what, value, fix });
}
