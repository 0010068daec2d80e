import { z } from 'zod';
import { flag, size } from './bounds.js';

/** The fields that say which layers see a window only. */
export const windowSchema = {
  sliding_window: size.nullish(),
  use_sliding_window: flag,
  max_window_layers: z.number().int().min(0).max(1_000).nullish(),
  sliding_window_pattern: size.nullish(),
  layer_types: z.array(z.string().max(100)).max(1_000).nullish(),
} as const;

/**
 * Which layers a family gives a window, as their configuration classes in transformers 4.56 have it: all of Mistral's,
 * Qwen's from `max_window_layers` on and only where `use_sliding_window` is set, every second of Gemma 2 from the first
 * on, all but every sixth of Gemma 3.
 */
export type LocalRule = 'none' | 'all' | 'allWhereSaid' | 'fromMaxWindowLayers' | 'everySecond' | 'fiveOfSix';

interface Windows {
  readonly num_hidden_layers: number;
  readonly sliding_window?: number | null | undefined;
  readonly use_sliding_window?: boolean | null | undefined;
  readonly max_window_layers?: number | null | undefined;
  readonly sliding_window_pattern?: number | null | undefined;
  readonly layer_types?: readonly string[] | null | undefined;
}

/** Of every class that has windows, and so left out of a config.json that was saved with it. */
const usualWindow = 4096;

/** Tokens that a layer with a window sees; null says that there is none. Mixtral's class has none where the file is silent. */
export function windowOf({ sliding_window: window }: Pick<Windows, 'sliding_window'>, rule: LocalRule): number | null {
  if (window !== undefined) return window;
  return rule === 'allWhereSaid' ? null : usualWindow;
}

/** Numbers of the layers with a window, where there is one; a list in config.json comes before the family's rule. */
export function localLayers(read: Windows, rule: LocalRule): readonly number[] {
  return windowOf(read, rule) === null ? [] : layersWithWindow(read, rule);
}

function layersWithWindow(read: Windows, rule: LocalRule): readonly number[] {
  const numbers = Array.from({ length: read.num_hidden_layers }, (_, i) => i);
  const { layer_types: types } = read;
  if (types != null) return numbers.filter((i) => types[i] === 'sliding_attention');
  return numbers.filter((i) => isLocal(read, rule, i));
}

function isLocal(read: Windows, rule: LocalRule, layer: number): boolean {
  switch (rule) {
    case 'none':
      return false;
    case 'all':
    case 'allWhereSaid':
      return true;
    case 'fromMaxWindowLayers':
      return read.use_sliding_window === true && layer >= (read.max_window_layers ?? 28);
    case 'everySecond':
      return layer % 2 === 0;
    case 'fiveOfSix':
      return (layer + 1) % (read.sliding_window_pattern ?? 6) !== 0;
  }
}
