import type { PairScorer } from '../../open-model.js';
import { inTurns } from '../../schedules/in-turns.js';
import { cutAll } from './cut.js';
import { type Conversation, scorePassage } from './judge.js';
import type { SpendNotes } from './spend-notes.js';
import { countsOf, newTally, type Tally, workOf } from './tally.js';

type Scoring = Pick<PairScorer, 'kind' | 'probability' | 'tokenIds' | 'score'>;

/** One prompt for each pair: pointwise schedules are no more than a sort by these scores. */
export function pairScorer(talk: Conversation, whole: Tally, notes: SpendNotes): Scoring {
  const { schedule, width, maxDocumentCharacters } = talk.settings;
  // A bare word has no probability: its margin of 1, 0 or -1 is reported as it is.
  const byToken = talk.logprobs === 'used' ? 'sigmoid' : 'margin';
  return {
    kind: 'scorer',
    probability: schedule.question === 'query-likelihood' ? 'exp' : byToken,
    tokenIds: () => null,
    score: async (pairs, onStep) => {
      notes.before(pairs.map(({ query, document }) => ({ query, documents: [document] })));
      const tally = newTally(whole);
      const margins = await inTurns(pairs, width, async ({ query, document }) => {
        const [passage] = cutAll([document], maxDocumentCharacters, tally);
        const margin = await scorePassage(talk, query, passage, tally);
        onStep?.(1);
        return margin;
      });
      const totals = tally.totals();
      return { margins: Float64Array.from(margins), tokens: null, work: workOf(totals), counts: countsOf(totals) };
    },
  };
}
