import { z } from 'zod';

/** Sizes in a config.json; the bounds keep every product of them exact in a double. */
export const size = z.number().int().min(1).max(200_000);
export const vocabulary = z.number().int().min(1).max(10_000_000);
export const layerCount = z.number().int().min(1).max(1_000);
export const flag = z.boolean().nullish();
