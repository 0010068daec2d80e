import { downloadModel, type Environment, hubSettings } from '../../hub/index.js';
import type { Dtype, ModelCard } from '../../models/card.js';
import type { ModelReference } from '../../models/reference.js';
import { shorterCard } from '../../models/shorter-card.js';
import type { ModelAccess } from '../../system.js';
import { chooseDtype, graphFiles, readModelFolder, requiredFiles } from '../model-folder/index.js';

type HubReference = Extract<ModelReference, { readonly kind: 'hub' }>;

const configs = /^((\d_\w+\/)?[\w.-]+\.(json|jinja)|\d_Dense\/model\.safetensors|LICENSE)$/;
const longTables = /^(model\.safetensors\.index|pytorch_model.*|vocab|merges)\.json$/;

/**
 * The card of a repository without one of ours: its small files are read first, which say what it is, then the graph of
 * the chosen number format and what belongs to it.
 */
export async function cardFromHub(
  reference: HubReference,
  access: ModelAccess,
): Promise<{ readonly card: ModelCard; readonly dtype: Dtype }> {
  const { repo, revision, dtype: wanted, maxLength, text } = reference;
  const paths: string[] = [];
  const wish = { repo, revision: revision ?? 'main', ...reports(access) };
  const facts = await downloadModel({
    ...wish,
    files: (path) => {
      paths.push(path);
      return configs.test(path) && !longTables.test(path);
    },
  });
  const origin = { kind: 'hub', repo, revision: facts.commit } as const;
  const whole = await readModelFolder(facts.folder, { id: text, origin, graphs: graphFiles(paths) });
  const card = shorterCard(whole, maxLength);
  const dtype = chooseDtype(card, wanted ?? undefined);
  const { required, optional } = requiredFiles(card, dtype);
  await downloadModel({
    ...wish,
    revision: facts.commit,
    required,
    files: (path) => optional.includes(path),
  });
  return { card, dtype };
}

function reports({ environment, onNote, onDownload }: ModelAccess) {
  const settings = hubSettings(environment as Environment);
  return { settings, onNote, ...(onDownload && { onProgress: onDownload }) };
}
