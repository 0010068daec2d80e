import type { OpenModel } from '../../open-model.js';
import type { ModelAccess, PretrainedModel } from '../../system.js';
import { type Address, addressOf } from './address.js';
import type { BatchLimits } from './batches.js';
import { apiId, checkRest } from './model-name.js';
import type { ApiOptions, ApiPlugin } from './plugin.js';
import { type ApiName, type Service, services } from './services.js';
import { type ApiModel, identityOf, openSession, type Session } from './session.js';

/** A kind of service that is told the model's name with every request, at an address from the environment. */
export interface NamedKind {
  readonly name: ApiName;
  readonly summary: string;
  readonly limits: (service: Service, address: Address) => BatchLimits;
  /** What happens to a text that is too long. */
  readonly truncation: string;
  readonly model: (model: string) => NamedModel;
}

/** The family is known from the kind; nothing is asked before the model is used. */
interface NamedModel {
  readonly kind: Pick<PretrainedModel, 'family' | 'similarity'>;
  readonly open: (session: Session, access: ModelAccess) => OpenModel;
}

export function namedPlugin(kind: NamedKind): (options: ApiOptions) => ApiPlugin {
  const { name, summary, limits, truncation, model } = kind;
  const service = services[name];
  return ({ waits }) => ({
    name,
    summary,
    bind: async (rest, { environment }) => {
      const id = apiId(service, checkRest(service, rest));
      const address = addressOf(service, environment);
      const batch = limits(service, address);
      const api: ApiModel = { id, service, model: rest, address, limits: batch, truncation, facts: {} };
      const named = model(rest);
      return {
        kind: 'pretrained',
        ...named.kind,
        id,
        summary: `${rest} at ${address.label}`,
        identity: identityOf(api),
        open: async (access) => named.open(openSession(api, access, waits), access),
      };
    },
  });
}
