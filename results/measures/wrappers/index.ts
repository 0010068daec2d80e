import { headroom } from './headroom.js';
import { oracle } from './oracle.js';
import type { MeasureWrapper } from './wrapper.js';

export type { MeasureWrapper } from './wrapper.js';

/** The registry of measures of measures: one line each. */
export const measureWrappers: readonly MeasureWrapper[] = [oracle, headroom];
