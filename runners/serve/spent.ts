import type { OpenModel } from '../open-model.js';

/** What a model behind a service has asked for since it was opened. */
export interface ServiceUse {
  readonly retries: number;
  /** Null when an answer did not say. */
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
}

interface Metered {
  readonly spent: () => { readonly retries: number; readonly promptTokens: number | null };
}

interface Totalled {
  readonly retries: () => number;
  readonly totals: () => { readonly promptTokens: number | null; readonly completionTokens: number | null };
}

/** Null for models that run here. */
export function serviceUse(model: OpenModel): ServiceUse | null {
  const { spent, totals, retries }: Partial<Metered & Totalled> = model as OpenModel & Partial<Metered & Totalled>;
  if (spent !== undefined) return { ...pick(spent()), completionTokens: 0 };
  if (totals === undefined) return null;
  const { promptTokens, completionTokens } = totals();
  return { retries: retries?.() ?? 0, promptTokens, completionTokens };
}

const pick = ({ retries, promptTokens }: ReturnType<Metered['spent']>) => ({ retries, promptTokens });

/** What was asked for between two looks; tokens that one of them lacks stay unknown. */
export function usedBetween(before: ServiceUse, after: ServiceUse): ServiceUse {
  return {
    retries: after.retries - before.retries,
    promptTokens: minus(after.promptTokens, before.promptTokens),
    completionTokens: minus(after.completionTokens, before.completionTokens),
  };
}

export function usedTogether(uses: readonly ServiceUse[]): ServiceUse {
  const zero: ServiceUse = { retries: 0, promptTokens: 0, completionTokens: 0 };
  return uses.reduce(
    (sum, use) => ({
      retries: sum.retries + use.retries,
      promptTokens: plus(sum.promptTokens, use.promptTokens),
      completionTokens: plus(sum.completionTokens, use.completionTokens),
    }),
    zero,
  );
}

const minus = (a: number | null, b: number | null) => (a === null || b === null ? null : a - b);
const plus = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b);
