import type { ListRanker } from '../../open-model.js';
import { cutAll } from './cut.js';
import { type Conversation, llmJudge } from './judge.js';
import type { SpendNotes } from './spend-notes.js';
import { countsOf, newTally, type Tally, workOf } from './tally.js';

/** Orders a list by the schedule, as far as `k` and the settings' topK want it; what is counted goes to `whole` too. */
export function listRanker(talk: Conversation, whole: Tally, notes: SpendNotes): Pick<ListRanker, 'kind' | 'rank'> {
  const { schedule, topK, maxDocumentCharacters } = talk.settings;
  return {
    kind: 'ranker',
    rank: async (query, documents, k) => {
      notes.before([{ query, documents }]);
      const tally = newTally(whole);
      const passages = cutAll(documents, maxDocumentCharacters, tally);
      const judge = llmJudge(talk, query, passages, tally);
      const { order } = await schedule.rank(documents.length, Math.min(k, topK), judge);
      return { order, work: workOf(tally.totals()), counts: countsOf(tally.totals()) };
    },
  };
}
