import { figuresOf } from '../../runners/cost/paper-rows.js';
import { type CallCounts, countCalls, type RerankList } from '../../runners/cost/rerank-calls.js';
import { checkAnswers } from '../../runners/cost/rerank-flops.js';
import { promptTokens, type TextTokens } from '../../runners/cost/rerank-prompts.js';
import { type ScheduleCost, scheduleCost } from '../../runners/cost/rerank-schedule.js';
import type { Architecture } from '../../runners/models/card.js';
import type { Question, Schedule } from '../../runners/schedules/schedule.js';

export interface ComparedModel {
  /** The name as it was given. */
  readonly model: string;
  readonly architecture: Architecture;
}

/** A schedule on a model, for one query. */
export interface OurRow extends ScheduleCost {
  readonly schedule: string;
  readonly model: string;
  readonly question: Question;
  readonly pflop: number;
  readonly QPP: number | null;
  readonly callsMin: number;
  readonly callsMax: number;
  readonly callLimit: number;
  /** How many orders the means are over. */
  readonly orders: number;
  /** The longest prompt; null where nothing is asked. */
  readonly longestPrompt: { readonly passages: number; readonly input: number; readonly output: number } | null;
}

/** Counted by running the schedules, once for all models. */
export async function ourRows(
  models: readonly ComparedModel[],
  schedules: readonly Schedule[],
  { list, texts }: { readonly list: RerankList; readonly texts: TextTokens },
): Promise<readonly OurRow[]> {
  for (const { model, architecture } of models) checkAnswers(model, architecture);
  const counted: { readonly schedule: Schedule; readonly counts: CallCounts }[] = [];
  for (const schedule of schedules) counted.push({ schedule, counts: await countCalls(schedule, list) });
  return models.flatMap(({ model, architecture }) =>
    counted.map(({ schedule, counts }) => {
      const cost = scheduleCost(architecture, schedule, counts, texts);
      const { pflop, QPP } = figuresOf(cost.flops, null);
      return {
        schedule: schedule.id,
        ...cost,
        flops: Math.round(cost.flops),
        model,
        question: schedule.question,
        pflop,
        QPP,
        callsMin: counts.min,
        callsMax: counts.max,
        callLimit: counts.limit,
        orders: counts.orders,
        longestPrompt: longestPrompt(schedule.question, Math.max(0, ...counts.bySize.keys()), texts),
      };
    }),
  );
}

function longestPrompt(question: Question, passages: number, texts: TextTokens): OurRow['longestPrompt'] {
  if (passages === 0) return null;
  const { input, output } = promptTokens(question, passages, texts);
  return { passages, input, output };
}
