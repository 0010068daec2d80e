import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { TenbinError } from '../../core/errors.js';
import { unknownName } from '../../core/suggest.js';
import { type JsonFile, readJson } from '../../runners/backends/model-folder/json-file.js';
import { headOfConfig } from '../../runners/backends/model-folder/stacks/heads.js';
import { readLayers } from '../../runners/backends/model-folder/stacks/index.js';
import { cardHere, modelNames } from '../../runners/backends/resolve/index.js';
import { costOfCard } from '../../runners/backends/resolve/model-cost.js';
import { namedArchitectures } from '../../runners/cost/named-architectures.js';
import type { LayerPlaces } from '../../runners/cost/parts.js';
import type { ModelCost } from '../../runners/cost/types.js';
import { downloadModel, hubSettings } from '../../runners/hub/index.js';
import type { ModelCard } from '../../runners/models/card.js';
import { type ModelReference, parseModelReference } from '../../runners/models/reference.js';
import type { ModelAccess } from '../../runners/system.js';

/** A model whose FLOPs are asked for. */
export interface FlopsSubject {
  readonly model: string;
  readonly cost: ModelCost;
  readonly places: LayerPlaces;
  /** Positions that it was trained for; null where any number will do, or nobody says. */
  readonly positions: number | null;
  /** Where it has one: its graph is found by it. */
  readonly card: ModelCard | null;
}

type Access = Pick<ModelAccess, 'environment' | 'onNote' | 'onDownload'> & ModelAccess;

/**
 * The layers behind a text: a card, a name of `namedArchitectures`, a folder, a config.json, `hub:…` (of which only
 * config.json is fetched). Errors: unknown names with the nearest one, fields that config.json lacks.
 */
export async function flopsSubject(text: string, access: Access): Promise<FlopsSubject> {
  if (/\.json$/i.test(text)) return fromConfigFile(text, text);
  const names = modelNames(access);
  const reference = parseModelReference(text, (name) => names.includes(name));
  if (reference !== null) return fromReference(reference, access);
  const named = namedArchitectures.find(({ name }) => name === text.toLowerCase());
  if (named !== undefined) {
    const { architecture, positions } = named;
    const cost: ModelCost = { architecture, head: { kind: 'language-model', positions: 'last' } };
    return { model: named.name, cost, places: {}, positions, card: null };
  }
  const known = namedArchitectures.map(({ name }) => name);
  const { parts } = unknownName('model', text, [...names, ...known], 'tenbin models');
  throw new TenbinError('unknown-name', {
    ...parts,
    fix: `${parts.fix} Known without weights are ${known.join(', ')}; the path of a config.json will do.`,
  });
}

async function fromReference(reference: ModelReference, access: Access): Promise<FlopsSubject> {
  switch (reference.kind) {
    case 'card':
      return fromCard(reference.text, access);
    case 'folder':
      return fromFolder(reference.path, reference.text, access);
    case 'hub': {
      const { repo, revision } = reference;
      const wish = { repo, revision: revision ?? 'main', required: ['config.json'], files: () => false };
      const settings = hubSettings(access.environment);
      const { folder } = await downloadModel({ ...wish, settings, onNote: access.onNote });
      return fromConfigFile(join(folder, 'config.json'), reference.text);
    }
    case 'service':
    case 'module':
      throw new TenbinError('refused', {
        what: 'The layers of this model are not known, so neither are its FLOPs',
        value: reference.text,
        fix: 'Give the config.json of the model behind it, where it is published.',
      });
  }
}

async function fromCard(text: string, access: Access): Promise<FlopsSubject> {
  const card = await cardHere(text, access);
  if (card?.origin.kind === 'folder') return fromFolder(card.origin.path, text, access);
  const cost = card === null ? null : costOfCard(card);
  if (card !== null && cost !== null)
    return { model: text, cost, places: placesOf(cost.architecture), positions: card.maxLength, card };
  throw new TenbinError('missing', {
    what: 'The card of this model does not say its layers',
    value: text,
    fix: 'Give the path of its config.json.',
  });
}

/** A card has the number of layers with a window alone; encoders that have such layers are ModernBERT's, which see all in every third. */
function placesOf({ kind, layers, localLayers }: ModelCost['architecture']): LayerPlaces {
  if (kind !== 'encoder' || localLayers === undefined) return {};
  return { localAt: Array.from({ length: layers }, (_, i) => i).filter((i) => i % 3 !== 0) };
}

/** The card of a folder says what is read of the layers; where it is none, config.json does. */
async function fromFolder(path: string, text: string, access: Access): Promise<FlopsSubject> {
  if (!(await isFolder(path))) {
    throw new TenbinError('usage', {
      what: 'There is no such folder or file',
      value: text,
      fix: 'Give a folder with a config.json, or the path of a config.json.',
    });
  }
  const subject = await fromConfigFile(join(path, 'config.json'), text);
  const card = await cardHere(path, access).catch((error: unknown) => {
    if (error instanceof TenbinError) return null;
    throw error;
  });
  const cost = card === null ? null : costOfCard(card);
  return cost === null ? subject : { ...subject, cost, card };
}

async function fromConfigFile(path: string, text: string): Promise<FlopsSubject> {
  try {
    const config = await configAt(path);
    const { architecture, positions = null, localAt, denseAt } = readLayers(config);
    const places = { ...(localAt && { localAt }), ...(denseAt && { denseAt }) };
    const cost = { architecture, head: headOfConfig(config, architecture.kind) };
    return { model: text, cost, places, positions, card: null };
  } catch (error) {
    throw error instanceof TenbinError ? inConfig(path, error) : error;
  }
}

/** Where a model is run, tenbin.json can stand in for a wrong file; FLOPs follow from this one alone. */
function inConfig(path: string, error: TenbinError): TenbinError {
  if (error.code !== 'malformed') return error;
  const { what, cause } = error.parts;
  return new TenbinError('malformed', {
    what,
    value: path,
    fix: 'Correct the file, or give that of the model.',
    cause,
  });
}

async function configAt(path: string): Promise<JsonFile> {
  const config = await readJson(dirname(path), basename(path));
  if (config !== null) return { ...config, name: path };
  throw new TenbinError('usage', {
    what: 'There is no such file',
    value: path,
    fix: 'Give the path of a config.json.',
  });
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
