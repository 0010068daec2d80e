import type { ModelAccess, PretrainedModel } from '../../system.js';
import type { ApiName } from './services.js';
import { systemWaits, type Waits } from './waits.js';

/** A kind of service that models stand behind: `openai:text-embedding-3-small` is the plug-in `openai` bound to a model. */
export interface ApiPlugin {
  readonly name: ApiName;
  /** One line for listings. */
  readonly summary: string;
  /**
   * The model of what follows the colon. Nothing is asked of the service and no key is wanted, except by `tei`, whose
   * server says in /info what it is. A name or address that cannot be is a `usage` error.
   */
  readonly bind: (rest: string, access: ModelAccess) => Promise<PretrainedModel>;
}

/** How a plug-in waits and tells the time; tests give their own. */
export interface ApiOptions {
  readonly waits: Waits;
}

export const systemOptions: ApiOptions = { waits: systemWaits };

/**
 * Raised by hand whenever a change here may change a number that a service is asked for: what is sent for a text, or how
 * an answer is read. Part of every identity.
 */
export const apiRevision = 1;
