import { TenbinError } from '../../core/errors.js';
import { schedules } from '../../runners/schedules/index.js';
import type { Schedule } from '../../runners/schedules/schedule.js';

/**
 * Schedules from `pointwise.yes_no,listwise.generation@window=20,step=10`: names have a dot, so `step=10` belongs to the
 * name before it. Each once, in the order given; all with their defaults where none is given.
 */
export function schedulesFrom(text: string | undefined): readonly Schedule[] {
  if (text === undefined) return schedules.plugins.map(({ name }) => schedules.bind(name));
  const names: string[] = [];
  for (const piece of text.split(',').map((part) => part.trim())) {
    if (/^[a-z]+=/.test(piece) && names.length > 0) names.push(`${names.pop()},${piece}`);
    else if (piece !== '') names.push(piece);
  }
  if (names.length === 0) throw noSchedule(text);
  return [...new Map(names.map((name) => schedules.bind(name)).map((bound) => [bound.id, bound])).values()];
}

function noSchedule(text: string): TenbinError {
  return new TenbinError('usage', {
    what: 'No schedule is named',
    value: `--schedules '${text}'`,
    fix: 'Give names separated by commas, or leave it out for all.',
  });
}
