import { reasonOf } from '../core/errors.js';
import { apiModels, missingFor } from '../runners/backends/api/index.js';
import { readModelFolder, requiredFiles } from '../runners/backends/model-folder/index.js';
import { modelFolders, type PassedOver, passedOver } from '../runners/backends/resolve/index.js';
import { findCached, hubSettings } from '../runners/hub/index.js';
import type { Dtype, ModelCard } from '../runners/models/card.js';
import { embeddedCards, hubCards } from '../runners/models/cards/index.js';

type Environment = Readonly<Record<string, string | undefined>>;

export interface ModelRow {
  readonly id: string;
  readonly family: string;
  readonly summary: string;
  /** What is missing to run it; null when nothing is. */
  readonly needs: string | null;
  readonly verified: boolean;
  readonly licence: string;
  readonly dtypes: readonly string[];
  readonly parameters: number | null;
  readonly languages: readonly string[];
}

/**
 * Every model with a card: those that come with the product, folders below TENBIN_MODELS (also those that no system can
 * name, with what they need), repositories of the hub.
 */
export async function modelRows(environment: Environment = process.env): Promise<ModelRow[]> {
  const folders = modelFolders(environment);
  const own = await Promise.all([...folders].map(([name, path]) => folderRow(name, path)));
  const cards = [...embeddedCards, ...hubCards].filter(({ id }) => !folders.has(id));
  const ours = await Promise.all(cards.map(async (card) => rowOf(card, await needsOf(card))));
  // Last, so that the first row of an id is the model that a system of that name runs.
  return [...own, ...ours, ...passedOver(environment).map(passedOverRow)];
}

/** One folder that cannot be read must not take the list with it. */
async function folderRow(id: string, path: string): Promise<ModelRow> {
  try {
    return rowOf(await readModelFolder(path, { id, origin: { kind: 'folder', path } }), null);
  } catch (error) {
    return { id, summary: path, needs: reasonOf(error), ...nothingKnown };
  }
}

const nothingKnown = {
  family: 'unknown',
  verified: false,
  licence: 'unknown',
  dtypes: [],
  parameters: null,
  languages: [],
} as const;

function passedOverRow({ name, path, needs }: PassedOver): ModelRow {
  return { id: name, summary: path, needs, ...nothingKnown };
}

function rowOf(card: ModelCard, needs: string | null): ModelRow {
  const { id, family, summary, verified, licence, files, languages, parameters } = card;
  const total = parameters?.total ?? null;
  return { id, family, summary, needs, verified, licence, dtypes: Object.keys(files), parameters: total, languages };
}

async function needsOf(card: ModelCard): Promise<string | null> {
  const { origin, files } = card;
  if (origin.kind !== 'hub') return null;
  const [dtype] = Object.keys(files) as Dtype[];
  if (dtype === undefined) return 'an ONNX graph: its repository has none';
  const { required } = requiredFiles(card, files.fp32 === undefined ? dtype : 'fp32');
  const wish = { repo: origin.repo, revision: origin.revision, required, files: () => false };
  const cached = await findCached({ ...wish, settings: hubSettings(process.env) }).catch(() => null);
  return cached === null ? `a download of hub:${origin.repo}` : null;
}

/** Models behind services have no cards: how they are named, and which keys are not set. */
export function serviceLines(): readonly string[] {
  const lines = apiModels.map(({ name, summary }) => {
    const missing = missingFor(name, process.env);
    return `  ${`${name}:…`.padEnd(10)}${summary}${missing === null ? '' : `; needs ${missing}`}`;
  });
  return ['', 'Behind services (docs/services.md):', ...lines];
}
