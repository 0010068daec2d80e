import type { OrtSession, Tensor } from './runtime.js';

export interface OutputRun {
  readonly session: Pick<OrtSession, 'run'>;
  readonly feeds: Parameters<OrtSession['run']>[0];
  /** Names of the outputs that are computed. */
  readonly outputs: readonly string[];
}

/** Runs a graph for some of its outputs, given in their order; the tensors' memory is given back when they have been used. */
export async function useOutputs<T>(
  { session, feeds, outputs }: OutputRun,
  use: (...tensors: readonly Tensor[]) => T | Promise<T>,
): Promise<T> {
  const given = await session.run(feeds, outputs);
  const tensors = outputs.map((name) => given[name]);
  try {
    return await use(...tensors);
  } finally {
    for (const tensor of tensors) tensor.dispose();
  }
}
