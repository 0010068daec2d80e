import type { Judge, Schedule } from '../schedules/schedule.js';

/** Prompts by how many passages each shows: passages → prompts. */
export type PromptsBySize = ReadonlyMap<number, number>;

/** `relevance[i]` is that of the passage at place i of the first stage, all different. */
export async function callsOnOrder(
  schedule: Schedule,
  top: number,
  relevance: readonly number[],
): Promise<PromptsBySize> {
  const bySize = new Map<number, number>();
  const judge = rightJudge(relevance, (passages) => bySize.set(passages, (bySize.get(passages) ?? 0) + 1));
  await schedule.rank(relevance.length, top, judge);
  return bySize;
}

/** Always right; `seen` is told how many passages each prompt shows. */
function rightJudge(relevance: readonly number[], seen: (passages: number) => void): Judge {
  const told = <Answer>(passages: number, answer: Answer) => {
    seen(passages);
    return Promise.resolve(answer);
  };
  return {
    width: 1,
    score: (passage) => told(1, relevance[passage]),
    prefer: (first, second) => told(2, relevance[second] > relevance[first] ? 1 : 0),
    choose: (passages) => told(passages.length, bestPlaces(passages, relevance)[0]),
    arrange: (passages) => told(passages.length, bestPlaces(passages, relevance)),
  };
}

function bestPlaces(passages: readonly number[], relevance: readonly number[]): number[] {
  return passages.map((_, i) => i).sort((a, b) => relevance[passages[b]] - relevance[passages[a]]);
}
