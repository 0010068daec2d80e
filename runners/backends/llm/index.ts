import type { Json } from '../../../core/canonical.js';
import { TenbinError } from '../../../core/errors.js';
import { splitArgument } from '../../../core/registry.js';
import { readParameters } from '../../models/parameters.js';
import { schedules } from '../../schedules/index.js';
import type { ModelAccess, PretrainedModel } from '../../system.js';
import { addressOf } from '../api/address.js';
import { services } from '../api/services.js';
import { openLlmRanker } from './open.js';
import { promptsDigest } from './prompts.js';
import { checkSettings, type LlmSettings } from './settings.js';

export { type LlmRanker, openLlmRanker } from './open.js';
export { estimateSpend, pricesFrom, spendOf } from './spend.js';

/** Raised by hand whenever a change of how prompts are put or answers are read may change an order. */
const llmRevision = 1;

/** The default is first: the least work of those that read the text of an answer (arXiv 2507.06223, table 2). */
const scheduleNames = [
  'setwise.heapsort',
  ...schedules.plugins.map(({ name }) => name).filter((name) => name !== 'setwise.heapsort'),
];

const ownParameters = {
  schedule: { kind: 'choice', choices: scheduleNames },
  top: { kind: 'number', fallback: 10, min: 1, max: 1000 },
  characters: { kind: 'number', fallback: 2000, min: 1, max: 1_000_000 },
  seed: { kind: 'number', fallback: 42, min: 0, max: 2 ** 31 - 1 },
} as const;

/**
 * The reranker of what follows `llm:`, such as `gpt-4o-mini@schedule=listwise.generation,window=20,step=10,top=10`:
 * parameters of the schedule stand beside our own. Nothing is asked of the service and no key is wanted yet.
 */
export function llmReranker(rest: string, { environment }: Pick<ModelAccess, 'environment'>): PretrainedModel {
  const { settings, id } = readLlmModel(rest);
  const { schedule } = settings;
  const isPointwise = schedule.question === 'relevance' || schedule.question === 'query-likelihood';
  const address = addressOf(services.openai, environment).label;
  return {
    kind: 'pretrained',
    family: 'reranker',
    id,
    summary: `${settings.model} at ${address}: ${schedule.summary}`,
    identity: identityOf(settings, address),
    ...(isPointwise ? {} : { ranksLists: true }),
    open: (access) => openLlmRanker(settings, access),
  };
}

/** Settings and canonical text; parameters at their default are left out. */
export function readLlmModel(rest: string): { readonly settings: LlmSettings; readonly id: string } {
  const { name, argument } = splitArgument(rest);
  if (!/^[^\s+>,()\p{C}]{1,200}$/u.test(name)) throw wrongName(rest);
  const pairs = argument?.split(',') ?? [];
  const isOwn = (pair: string) => Object.hasOwn(ownParameters, pair.split('=')[0]);
  const joined = (some: readonly string[]) => (some.length === 0 ? undefined : some.join(','));
  const own = readParameters(`llm:${name}`, joined(pairs.filter(isOwn)), ownParameters);
  const given = joined(pairs.filter((pair) => !isOwn(pair)));
  const schedule = schedules.bind(`${own.values.schedule}${given === undefined ? '' : `@${given}`}`);
  const { top: topK, characters: maxDocumentCharacters, seed } = own.values;
  const settings: LlmSettings = { model: name, schedule, topK, maxDocumentCharacters, seed };
  const shown = [splitArgument(own.id).argument, splitArgument(schedule.id).argument].filter(Boolean);
  return { settings: checkSettings(settings), id: [`llm:${name}`, shown.join(',')].filter(Boolean).join('@') };
}

function identityOf({ model, schedule, topK, maxDocumentCharacters, seed }: LlmSettings, address: string) {
  const facts = {
    model,
    schedule: schedule.id,
    topK: topK ?? null,

    maxDocumentCharacters,
    seed: seed ?? null,
  };
  return { api: 'llm', address, ...facts, prompts: promptsDigest, revision: llmRevision } satisfies Json;
}

function wrongName(rest: string): TenbinError {
  return new TenbinError('usage', {
    what: 'The name of a model has 1 to 200 characters, and no blanks, commas, parentheses, `+` or `>`',
    value: `llm:${rest}`,
    fix: 'Write for example `llm:gpt-4o-mini@schedule=setwise.heapsort`.',
  });
}
