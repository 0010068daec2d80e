import type { Judge } from '../../runners/schedules/schedule.js';

/** Always right; of equal passages it prefers the one shown first. */
export function perfectJudge(relevance: readonly number[]): Judge {
  const bestFirst = (passages: readonly number[]) =>
    passages.map((_, i) => i).sort((a, b) => relevance[passages[b]] - relevance[passages[a]] || a - b);
  return {
    width: 3,
    score: async (passage) => relevance[passage],
    prefer: async (first, second) => (relevance[second] > relevance[first] ? 1 : 0),
    choose: async (passages) => bestFirst(passages)[0],
    arrange: async (passages) => bestFirst(passages),
  };
}

/** Well-formed answers that follow from nothing: numbers drawn from `draw`, each in [0, 1). */
export function erraticJudge(draw: () => number): Judge {
  return {
    width: 2,
    score: async () => draw(),
    prefer: async () => (draw() < 0.5 ? 0 : 1),
    choose: async (passages) => Math.floor(draw() * passages.length),
    arrange: async (passages) => {
      const keys = passages.map(() => draw());
      return passages.map((_, i) => i).sort((a, b) => keys[a] - keys[b] || a - b);
    },
  };
}
