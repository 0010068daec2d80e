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
      if (totals.repaired + totals.malformed > 0) onNote(`${name}: ${understanding(totals)}`);
    },
  };
}

/** `1 of 3 answers was understood in part, 2 of 3 answers were not understood`, without a part that counts none. */
function understanding({ calls, repaired, malformed }: CallTotals): string {
  const some = (count: number, how: string): readonly string[] => {
    const many = `${count} of ${calls} ${calls === 1 ? 'answer' : 'answers'} ${count === 1 ? 'was' : 'were'}`;
    return count === 0 ? [] : [`${many} ${how}`];
  };
  return [...some(repaired, 'understood in part'), ...some(malformed, 'not understood')].join(', ');
}
