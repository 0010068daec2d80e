import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { TenbinError } from '../../core/errors.js';
import type { Waits } from '../../runners/backends/api/waits.js';
import { type CallRecord, callLogPath } from '../../runners/backends/llm/call-log.js';
import { llmEdge } from '../../runners/backends/llm/edge.js';
import { type LlmRanker, openLlmRanker } from '../../runners/backends/llm/open.js';
import type { LlmSettings } from '../../runners/backends/llm/settings.js';
import type { ListRanker, PairScorer } from '../../runners/open-model.js';
import { schedules } from '../../runners/schedules/index.js';

export const key = 'sk-test-0123456789abcdef';
export const nowMs = Date.UTC(2026, 0, 15, 12, 0, 0);

/** Time that passes at once and is written down; `expire` ends the time of every request under way. */
export function testWaits() {
  const waitedMs: number[] = [];
  const deadlines = new Set<AbortController>();
  const waits: Waits = {
    nowMs: () => nowMs,
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
  };
  const expire = () => {
    for (const controller of deadlines) controller.abort();
  };
  return { waits, waitedMs, expire };
}

export interface Opened<Model> {
  readonly model: Model & Pick<LlmRanker, 'totals'>;
  readonly notes: readonly string[];
  readonly waitedMs: readonly number[];
  readonly expire: () => void;
  /** Lines of the log so far. */
  readonly lines: () => readonly CallRecord[];
  readonly logText: () => string;
}

interface Opening extends Partial<Omit<LlmSettings, 'schedule'>> {
  readonly environment?: Readonly<Record<string, string>>;
  readonly answerBytes?: number;
  readonly logFolder?: string;
}

/** Opens a model at a loopback server, with the key and a log of its own. */
export async function open(baseUrl: string, schedule: string, opening: Opening = {}): Promise<Opened<LlmRanker>> {
  const { environment = {}, answerBytes, logFolder = temporaryFolder(), ...settings } = opening;
  const { waits, waitedMs, expire } = testWaits();
  const notes: string[] = [];
  const access = {
    environment: { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: key, ...environment },
    logFolder,
    onNote: (text: string) => notes.push(text),
  };
  const whole: LlmSettings = {
    model: 'test-model',
    schedule: schedules.bind(schedule),
    maxDocumentCharacters: 200,
    ...settings,
  };
  const edge = llmEdge(access, whole.model, { waits, ...(answerBytes === undefined ? {} : { answerBytes }) });
  const model = await openLlmRanker(whole, access, edge);
  onTestFinished(() => model.close().catch(() => undefined));
  const logText = () => readFileSync(callLogPath(logFolder, whole.model), 'utf8');
  const lines = () =>
    logText()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as CallRecord);
  return { model, notes, waitedMs, expire, lines, logText };
}

export async function openRanker(...given: Parameters<typeof open>): Promise<Opened<ListRanker>> {
  const opened = await open(...given);
  if (opened.model.kind !== 'ranker') throw new Error('This is no list ranker.');
  return { ...opened, model: opened.model };
}

export async function openScorer(...given: Parameters<typeof open>): Promise<Opened<PairScorer>> {
  const opened = await open(...given);
  if (opened.model.kind !== 'scorer') throw new Error('This is no pair scorer.');
  return { ...opened, model: opened.model };
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tenbin-llm-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Passages that hold their relevance, in the order given. */
export const passages = (relevance: readonly number[]): string[] =>
  relevance.map((grade, i) => `Passage text number ${i} with relevance=${grade}.`);

/** The error of a promise that must fail in the project's own way. */
export async function errorOf(promise: Promise<unknown>): Promise<TenbinError> {
  const thrown = await promise.then(
    () => new Error('It did not fail.'),
    (error: unknown) => error,
  );
  if (thrown instanceof TenbinError) return thrown;
  throw thrown;
}
