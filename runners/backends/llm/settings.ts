import { TenbinError } from '../../../core/errors.js';
import type { Schedule } from '../../schedules/schedule.js';

export interface LlmSettings {
  /** The name that the service knows the model by. */
  readonly model: string;
  readonly schedule: Schedule;
  /** Passages that schedules sort at most; the others follow as they stood. Default 10. */
  readonly topK?: number;
  /** UTF-16 units of a passage that are shown; the rest is cut and counted. */
  readonly maxDocumentCharacters: number;
  /** Sent along; services promise little for it. Default 42. */
  readonly seed?: number;
  /** Prompts under way at once. Default 4. */
  readonly width?: number;
}

export type CheckedSettings = Required<LlmSettings>;

export function checkSettings(settings: LlmSettings): CheckedSettings {
  const checked = { topK: 10, seed: 42, width: 4, ...settings };
  if (!/^[^\p{Cc}\p{Zl}\p{Zp}]{1,200}$/u.test(checked.model)) {
    throw wrong(
      'The name of a model is 1 to 200 characters on one line',
      checked.model,
      'Write it as the service does.',
    );
  }
  whole('topK', checked.topK, 1, 1_000_000);
  whole('maxDocumentCharacters', checked.maxDocumentCharacters, 1, 10_000_000);
  whole('seed', checked.seed, 0, 2 ** 31 - 1);
  whole('width', checked.width, 1, 1000);
  return checked;
}

function whole(name: string, value: number, min: number, max: number): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw wrong(`${name} is a whole number from ${min} to ${max}`, String(value), 'Choose one of these.');
}

function wrong(what: string, value: string, fix: string): TenbinError {
  return new TenbinError('usage', { what, value, fix });
}
