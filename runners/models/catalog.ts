import { TenbinError } from '../../core/errors.js';
import type { Model, PretrainedModel } from '../system.js';
import { embeddedCards, hubCards } from './cards/index.js';
import type { ModelReference } from './reference.js';

/** What the grammar asks when a text names a model that is not part of the program. */
export interface ModelCatalog {
  /** Names of cards, and of folders below TENBIN_MODELS. */
  readonly names: readonly string[];
  readonly bind: (reference: ModelReference) => Model;
}

const cards = new Map([...embeddedCards, ...hubCards].map((card) => [card.id, card]));
export const cardNames: readonly string[] = [...cards.keys()];

/** Knows the names, and has nothing opened: what a text means can be told, but not run. */
export const unresolved: ModelCatalog = {
  names: cardNames,
  bind: ({ text }) => {
    throw new TenbinError('missing', {
      what: 'This model has to be looked up before a system can be made of it',
      value: text,
      fix: 'Resolve it first: `resolveModels([text], access)`.',
    });
  },
};

/** Models by their canonical text. */
export function catalogOf(models: ReadonlyMap<string, Model>, names: readonly string[] = cardNames): ModelCatalog {
  return { names, bind: (reference) => models.get(reference.text) ?? unresolved.bind(reference) };
}

/** Takes every reference for a model and remembers it: for canonical ids, and to learn what must be looked up. */
export function namingCatalog(names: readonly string[] = cardNames) {
  const references = new Map<string, ModelReference>();
  const catalog: ModelCatalog = {
    names,
    bind: (reference) => {
      references.set(reference.text, reference);
      return nameOnly(reference);
    },
  };
  return { catalog, references };
}

/** Stands for a model of which only the name matters, with what its card says where there is one. */
function nameOnly(reference: ModelReference): PretrainedModel {
  const { text: id } = reference;
  const card = reference.kind === 'card' ? cards.get(reference.name) : undefined;
  const open = (): never => {
    throw new Error(`${id} is only a name here.`);
  };
  const { family = 'dense', summary = id } = card ?? {};
  return { kind: 'pretrained', family, id, summary, identity: null, open };
}
