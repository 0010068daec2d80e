import type { ModelAccess } from '../../system.js';
import type { LlmSettings } from './settings.js';
import { estimateSpend, type ListToRank, pricesFrom, spendNote, spendOf } from './spend.js';
import type { CallTotals } from './tally.js';

/** Says once what a list would take, before the first one is asked, and at the end what all of them took. */
export interface SpendNotes {
  readonly before: (lists: readonly ListToRank[]) => void;
  readonly spent: (totals: CallTotals) => void;
}

export function spendNotes(
  settings: LlmSettings,
  { environment, onNote }: Pick<ModelAccess, 'environment' | 'onNote'>,
): SpendNotes {
  const prices = pricesFrom(environment);
  const name = `llm:${settings.model} by ${settings.schedule.id}`;
  let said = false;
  return {
    before: (lists) => {
      if (said || lists.length === 0) return;
      said = true;
      onNote(spendNote(name, estimateSpend(settings, lists, prices)));
    },
    spent: (totals) => {
      if (totals.calls === 0) return;
      onNote(spendNote(name, spendOf(totals, prices)));
      const { calls, repaired, malformed } = totals;
      if (repaired + malformed > 0) {
        onNote(`${name}: of ${calls} answers ${repaired} were understood in part and ${malformed} not at all`);
      }
    },
  };
}
