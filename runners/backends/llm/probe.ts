import { reasonOf, TenbinError } from '../../../core/errors.js';
import { type Conversation, type Logprobs, llmJudge, scorePassage } from './judge.js';
import { newTally, type Tally } from './tally.js';
import { refusedStatus } from './wire.js';

const query = 'capital of France';
const passage = 'Paris is the capital of France.';

/**
 * Whether the service gives the probabilities that the schedule reads, found out by one small prompt when the model is
 * opened: a run must not change its way of scoring half-way. Schedules that read text need no prompt.
 */
export async function probeLogprobs(talk: Omit<Conversation, 'logprobs'>, tally: Tally): Promise<Logprobs> {
  const { question, id } = talk.settings.schedule;
  if (question === 'relevance') return (await listsYesNo(talk, tally)) ? 'used' : 'absent';
  if (question !== 'query-likelihood' && question !== 'list-likelihood') return 'absent';
  const seen = newTally(tally);
  const conversation: Conversation = { ...talk, logprobs: 'used' };
  if (question === 'query-likelihood') await unlessRefused(() => scorePassage(conversation, query, passage, seen), id);
  else await unlessRefused(() => llmJudge(conversation, query, [passage, 'A cat sleeps.'], seen).arrange([0, 1]), id);
  if (seen.totals().malformed > 0) throw noLogprobs(id);
  return 'used';
}

/** Some services refuse the parameter: they are asked again without it, and then read by the word. */
async function listsYesNo(talk: Omit<Conversation, 'logprobs'>, tally: Tally): Promise<boolean> {
  const seen = newTally(tally);
  try {
    await scorePassage({ ...talk, logprobs: 'used' }, query, passage, seen);
  } catch (thrown) {
    if (!isUnknownParameter(thrown)) throw thrown;
    await scorePassage({ ...talk, logprobs: 'absent' }, query, passage, tally);
    return false;
  }
  return seen.totals().repaired + seen.totals().malformed === 0;
}

async function unlessRefused(ask: () => Promise<unknown>, id: string): Promise<void> {
  try {
    await ask();
  } catch (thrown) {
    throw isUnknownParameter(thrown) ? noLogprobs(id, reasonOf(thrown)) : thrown;
  }
}

/** Also the statuses of servers that have no `/completions` at all. */
const unknownParameter = new Set<number | null>([400, 404, 405, 422, 501]);

const isUnknownParameter = (thrown: unknown) => unknownParameter.has(refusedStatus(thrown));

function noLogprobs(id: string, refusal?: string): TenbinError {
  const instead = id.startsWith('listwise') ? 'listwise.generation' : 'pointwise.yes_no';
  return new TenbinError('refused', {
    what: `${id} needs log-probabilities, which the service does not give`,
    ...(refusal === undefined ? {} : { value: refusal }),
    fix: `Use ${instead}, or a server that gives them, such as vLLM.`,
  });
}
