import { TenbinError } from '../../core/errors.js';
import { apiModelsWith } from '../../runners/backends/api/index.js';
import type { Metered } from '../../runners/backends/api/spend.js';
import type { Waits } from '../../runners/backends/api/waits.js';
import type { PairScorer, TextEncoder } from '../../runners/open-model.js';
import type { ModelAccess, PretrainedModel } from '../../runners/system.js';

/** Time that passes at once, and is written down. */
export interface TestWaits extends Waits {
  readonly waitedMs: readonly number[];
  /** Ends the time of every request that is under way. */
  readonly expire: () => void;
}

export const testNowMs = Date.UTC(2026, 0, 15, 12, 0, 0);

export function testWaits(): TestWaits {
  const waitedMs: number[] = [];
  const deadlines = new Set<AbortController>();
  return {
    waitedMs,
    nowMs: () => testNowMs,
    random: () => 1,
    wait: async (ms, signal) => {
      signal.throwIfAborted();
      waitedMs.push(ms);
    },
    deadline: () => {
      const controller = new AbortController();
      deadlines.add(controller);
      return { signal: controller.signal, cancel: () => deadlines.delete(controller) };
    },
    expire: () => {
      for (const controller of deadlines) controller.abort();
    },
  };
}

export interface TestAccess extends ModelAccess {
  readonly notes: readonly string[];
}

export function testAccess(environment: ModelAccess['environment']): TestAccess {
  const notes: string[] = [];
  return {
    device: 'cpu',
    threads: 1,
    environment,
    logFolder: '/nonexistent',
    onNote: (text) => notes.push(text),
    notes,
  };
}

/** Binds `openai:model` as the product would. */
export async function bind(text: string, access: ModelAccess, waits: Waits = testWaits()): Promise<PretrainedModel> {
  const name = text.slice(0, text.indexOf(':'));
  const plugin = apiModelsWith({ waits }).find((one) => one.name === name);
  if (plugin === undefined) throw new Error(`There is no plug-in ${name}.`);
  return plugin.bind(text.slice(name.length + 1), access);
}

export async function openEncoder(
  text: string,
  access: ModelAccess,
  waits: Waits = testWaits(),
): Promise<TextEncoder & Metered> {
  const open = await (await bind(text, access, waits)).open(access);
  if (open.kind !== 'encoder') throw new Error(`${text} is no encoder.`);
  return open as TextEncoder & Metered;
}

export async function openScorer(
  text: string,
  access: ModelAccess,
  waits: Waits = testWaits(),
): Promise<PairScorer & Metered> {
  const open = await (await bind(text, access, waits)).open(access);
  if (open.kind !== 'scorer') throw new Error(`${text} is no scorer.`);
  return open as PairScorer & Metered;
}

/** The error of a promise that must fail in the project's own way. */
export async function errorOf(promise: Promise<unknown>): Promise<TenbinError> {
  const thrown = await promise.then(
    () => new Error('It did not fail.'),
    (error: unknown) => error,
  );
  if (thrown instanceof TenbinError) return thrown;
  throw thrown;
}
