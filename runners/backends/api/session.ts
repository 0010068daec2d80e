import pLimit, { type LimitFunction } from 'p-limit';
import type { Json } from '../../../core/canonical.js';
import type { ModelAccess } from '../../system.js';
import { priceFrom } from '../price.js';
import type { Address } from './address.js';
import type { BatchLimits } from './batches.js';
import { type HttpClient, httpClient } from './http.js';
import { keyFor } from './keys.js';
import { apiRevision } from './plugin.js';
import type { Service } from './services.js';
import { type Estimate, estimateNote, type Meter, meter, spentNote } from './spend.js';
import type { Waits } from './waits.js';

/** A model of a service, before it is opened. */
export interface ApiModel {
  /** Canonical text: `openai:text-embedding-3-small`. */
  readonly id: string;
  readonly service: Service;
  /** The name that the service knows the model by. */
  readonly model: string;
  readonly address: Address;
  readonly limits: BatchLimits;
  /** What the service does with a text that is too long, as a fact for run.json. */
  readonly truncation: string;
  /** Whatever else changes a number and is known already, fit to be shown. */
  readonly facts: Readonly<Record<string, string | null>>;
}

/** Everything of it that changes a number. A server of one's own is another model than the vendor's of the same name. */
export function identityOf({ service, model, address, truncation, facts }: ApiModel): Json {
  return { api: service.name, model, address: address.label, truncation, revision: apiRevision, ...facts };
}

/** An open connection to a model, with its limits and its meter. */
export interface Session {
  readonly api: ApiModel;
  readonly client: HttpClient;
  readonly meter: Meter;
  /** Shared by everything that is asked of the model at the same time. */
  readonly limiter: LimitFunction;
  /** Says what is about to be asked for, before it is; nothing where it is nothing. */
  readonly announce: (estimate: Estimate) => void;
}

/** Without a key where one is needed this is a `missing` error. Nothing is sent yet. */
export function openSession(api: ApiModel, { environment, onNote }: ModelAccess, waits: Waits): Session {
  const { service, address, model } = api;
  const price = priceFrom(environment, 'TENBIN_PRICE_PROMPT');
  const counter = meter();
  const key = keyFor(service, address, environment);
  return {
    api,
    client: httpClient({ service, model, address, key }, waits, counter),
    meter: counter,
    limiter: pLimit(service.concurrency),
    announce: (estimate) => {
      if (estimate.requests > 0) onNote(estimateNote(api.id, address.label, estimate, price));
    },
  };
}

/** What encoders and scorers of services have in common. */
export function opened({ api, meter: { spent } }: Session, { environment, onNote }: ModelAccess) {
  const { service, address, model, limits, truncation, facts } = api;
  return {
    conditions: {
      'api.service': service.name,
      'api.address': address.label,
      'api.model': model,
      'api.batch': `at most ${limits.inputs} texts and ${limits.tokens} tokens (UTF-8 bytes / 3) in a request, ${service.concurrency} requests at once`,
      'api.truncation': truncation,
      ...Object.fromEntries(
        Object.entries(facts).flatMap(([name, fact]) => (fact === null ? [] : [[`api.${name}`, fact]])),
      ),
      emptyTextSentAs: 'a single blank',
    },
    modelBytes: 0,
    spent,
    close: async () => {
      if (spent().requests > 0) onNote(spentNote(api.id, spent(), priceFrom(environment, 'TENBIN_PRICE_PROMPT')));
    },
  };
}
