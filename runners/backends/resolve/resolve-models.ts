import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Json } from '../../../core/canonical.js';
import { sha256 } from '../../../core/digest.js';
import { reasonOf, TenbinError } from '../../../core/errors.js';
import { readBytes } from '../../../tasks/files.js';
import { parseSystem } from '../../grammar.js';
import type { Dtype, ModelCard } from '../../models/card.js';
import { embeddedCards, hubCards } from '../../models/cards/index.js';
import { cardNames, namingCatalog } from '../../models/catalog.js';
import { type ModelReference, parseModelReference } from '../../models/reference.js';
import { shorterCard } from '../../models/shorter-card.js';
import type { ModelAccess } from '../../system.js';
import { chooseDtype, readModelFolder } from '../model-folder/index.js';
import { requireDevice } from '../onnx/runtime.js';
import { cardFromHub } from './card-from-hub.js';
import { filesIdentity } from './files-identity.js';
import { modelFolders } from './model-folders.js';
import { noteShadowed, withFolderHint } from './passed-over.js';

/** What is known of a model once it is looked up: plain data, so that a worker can make the same model of it. */
export type ResolvedModel =
  | {
      readonly kind: 'files';
      readonly text: string;
      readonly card: ModelCard;
      readonly dtype: Dtype;
      /** Everything that changes a number. */
      readonly identity: Json;
    }
  | { readonly kind: 'service'; readonly reference: Extract<ModelReference, { readonly kind: 'service' }> }
  | { readonly kind: 'module'; readonly text: string; readonly path: string; readonly digest: string };

/** Names that a system may use for a model: cards, and the folders below TENBIN_MODELS. */
export function modelNames({ environment }: Pick<ModelAccess, 'environment'>): readonly string[] {
  return [...new Set([...modelFolders(environment).keys(), ...cardNames])];
}

export interface Lookup {
  readonly resolved: readonly ResolvedModel[];
  /** Why a model could not be looked up, by its text: its systems fail and the others go on. */
  readonly failures: ReadonlyMap<string, string>;
}

/**
 * Looks up every model that these systems name and that is not part of the program. Wrong use is thrown, and so is a
 * device that is not there, before anything is downloaded, taken from the cache or found to be done.
 */
export async function resolveModels(systems: readonly string[], access: ModelAccess): Promise<Lookup> {
  const references = referencesOf(systems, access);
  noteShadowed(systems, access);
  if (references.some(({ kind }) => onnxKinds.has(kind))) await requireDevice(access.device);
  const resolved: ResolvedModel[] = [];
  const failures = new Map<string, string>();
  for (const reference of references) {
    try {
      resolved.push(await resolveModel(reference, access));
    } catch (error) {
      if (error instanceof TenbinError && isWrongUse(error)) throw error;
      failures.set(reference.text, reasonOf(error));
    }
  }
  return { resolved, failures };
}

/** Models of these kinds are run by ONNX Runtime. */
const onnxKinds: ReadonlySet<ModelReference['kind']> = new Set(['card', 'folder', 'hub']);

function referencesOf(systems: readonly string[], access: ModelAccess): readonly ModelReference[] {
  const { catalog, references } = namingCatalog(modelNames(access));
  for (const text of systems) {
    try {
      parseSystem(text, catalog);
    } catch (error) {
      throw withFolderHint(error, text, access.environment);
    }
  }
  return [...references.values()];
}

function isWrongUse({ code }: TenbinError): boolean {
  return code === 'usage' || code === 'unknown-name';
}

async function resolveModel(reference: ModelReference, access: ModelAccess): Promise<ResolvedModel> {
  switch (reference.kind) {
    case 'service':
      return { kind: 'service', reference };
    case 'module':
      return resolveModule(reference.path);
    case 'hub': {
      const { card, dtype } = await cardFromHub(reference, access);
      return { kind: 'files', text: reference.text, card, dtype, identity: await filesIdentity(card, dtype) };
    }
    case 'folder':
      return fromCard(reference, await folderCard(reference.path, reference.path));
    case 'card':
      return fromCard(reference, await namedCard(reference.name, access));
  }
}

async function fromCard(
  { text, dtype: wanted, maxLength }: Extract<ModelReference, { readonly kind: 'card' | 'folder' }>,
  whole: ModelCard,
): Promise<ResolvedModel> {
  const card = shorterCard(whole, maxLength);
  const dtype = chooseDtype(card, wanted ?? undefined);
  return { kind: 'files', text, card, dtype, identity: await filesIdentity(card, dtype) };
}

/** A folder below TENBIN_MODELS comes before the card of the same name: it was put there on purpose. */
async function namedCard(name: string, { environment }: ModelAccess): Promise<ModelCard> {
  const folder = modelFolders(environment).get(name);
  if (folder !== undefined) return folderCard(folder, name);
  const card = [...embeddedCards, ...hubCards].find(({ id }) => id === name);
  if (card === undefined) throw new Error(`${name} is no card, though the grammar took it for one.`);
  return card;
}

/** The card of a card's name or a folder's path, read from this machine alone; null for any other model. */
export async function cardHere(text: string, access: ModelAccess): Promise<ModelCard | null> {
  const names = modelNames(access);
  const reference = parseModelReference(text, (name) => names.includes(name));
  if (reference?.kind === 'card') return namedCard(reference.name, access);
  return reference?.kind === 'folder' ? folderCard(reference.path, reference.path) : null;
}

async function folderCard(path: string, id: string): Promise<ModelCard> {
  const folder = resolve(path);
  const isFolder = await stat(folder).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
  if (isFolder) return readModelFolder(folder, { id, origin: { kind: 'folder', path: folder } });
  throw new TenbinError('usage', {
    what: 'There is no such model folder',
    value: path,
    fix: 'Give the path of a folder with config.json, tokenizer.json and onnx/, or `hub:org/name`.',
  });
}

async function resolveModule(text: string): Promise<ResolvedModel> {
  const path = resolve(text);
  return { kind: 'module', text, path, digest: sha256(await readBytes(path)) };
}
