import { reasonOf } from '../../core/errors.js';

/** A clock that can be waited for: the real one, or one of a test that needs no time. */
export interface ServeClock {
  readonly nowMs: () => number;
  /** Resolves at that time; for a time that is past, after whatever else was waiting. */
  readonly until: (ms: number) => Promise<void>;
}

/** `closed`: each user asks again when answered. `open`: requests come at these times from the start, answered or not. */
export type Load =
  | { readonly kind: 'closed'; readonly users: number }
  | { readonly kind: 'open'; readonly arrivalsMs: Float64Array };

interface LoadRun<Work> {
  readonly load: Load;
  /** Requests that are served at the same time; the others wait in the order of their arrival. */
  readonly slots: number;
  readonly requests: number;
  readonly clock: ServeClock;
  readonly serve: (request: number) => Promise<Work>;
  /** When it turns true no further request is started, and those that were are waited for. */
  readonly isStopped?: () => boolean;
  readonly onAnswer?: () => void;
}

/** Times of the clock. An open request arrived when it was due, however late the timer was that let it in. */
export interface Answered<Work> {
  readonly request: number;
  readonly arrivalMs: number;
  readonly startMs: number;
  readonly endMs: number;
  /** The reason where the system could not answer. */
  readonly outcome: { readonly work: Work } | { readonly failed: string };
}

/** Puts a system under load and gives every request that was served, in the order of their numbers. */
export async function runLoad<Work>(run: LoadRun<Work>): Promise<readonly Answered<Work>[]> {
  const answers: Answered<Work>[] = [];
  const gate = gateOf(run.slots);
  const ask = async (request: number, arrivalMs: number): Promise<void> => {
    await gate.enter();
    try {
      if (run.isStopped?.()) return;
      answers.push(await served(run, request, arrivalMs));
      run.onAnswer?.();
      // A system that never waits would keep the program from hearing anything else.
      await run.clock.until(run.clock.nowMs());
    } finally {
      gate.leave();
    }
  };
  await (run.load.kind === 'closed' ? byUsers(run, run.load.users, ask) : bySchedule(run, run.load.arrivalsMs, ask));
  return answers.sort((a, b) => a.request - b.request);
}

type Ask = (request: number, arrivalMs: number) => Promise<void>;

async function byUsers<Work>({ requests, clock, isStopped }: LoadRun<Work>, users: number, ask: Ask): Promise<void> {
  let next = 0;
  const user = async () => {
    while (next < requests && !isStopped?.()) await ask(next++, clock.nowMs());
  };
  await Promise.all(Array.from({ length: users }, user));
}

async function bySchedule<Work>(
  { requests, clock, isStopped }: LoadRun<Work>,
  arrivalsMs: Float64Array,
  ask: Ask,
): Promise<void> {
  const startMs = clock.nowMs();
  const asked: Promise<void>[] = [];
  for (let request = 0; request < requests && !isStopped?.(); request++) {
    const dueMs = startMs + arrivalsMs[request];
    if (clock.nowMs() < dueMs) await clock.until(dueMs);
    asked.push(ask(request, dueMs));
  }
  await Promise.all(asked);
}

async function served<Work>(
  { clock, serve }: LoadRun<Work>,
  request: number,
  arrivalMs: number,
): Promise<Answered<Work>> {
  const startMs = clock.nowMs();
  try {
    const work = await serve(request);
    return { request, arrivalMs, startMs, endMs: clock.nowMs(), outcome: { work } };
  } catch (error) {
    return { request, arrivalMs, startMs, endMs: clock.nowMs(), outcome: { failed: reasonOf(error) } };
  }
}

/** Lets so many in at once, the others in the order in which they came. */
function gateOf(slots: number) {
  const waiting: (() => void)[] = [];
  let free = slots;
  return {
    enter: async (): Promise<void> => {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => waiting.push(resolve));
    },
    leave: (): void => {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    },
  };
}
