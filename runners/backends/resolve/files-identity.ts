import { createRequire } from 'node:module';
import type { Json } from '../../../core/canonical.js';
import type { Dtype, ModelCard } from '../../models/card.js';
import { tokenizerVersion } from '../../tokenizers/index.js';
import { fingerprintFolder, requiredFiles } from '../model-folder/index.js';
import { embeddedFolder } from './embedded-folder.js';

/** What a card says that no number depends on. */
const besides = [
  'id',
  'summary',
  'origin',
  'files',
  'parameters',
  'architecture',
  'languages',
  'licence',
  'paper',
  'verified',
];

/** Versions of what computes; its batch rule is ours, and part of the cache's own revision. */
const engine = { onnxruntime: installed('onnxruntime-node'), tokenizer: tokenizerVersion };

function installed(name: string): string {
  return String(createRequire(import.meta.url)(`${name}/package.json`).version);
}

/**
 * Everything that changes a number of a model that comes as files: how its tensors are read, the number format, and the
 * files themselves, by their digests or, for a repository, by its commit, which stands for them.
 */
export async function filesIdentity(card: ModelCard, dtype: Dtype): Promise<Json> {
  const reading = Object.fromEntries(Object.entries(card).filter(([name]) => !besides.includes(name)));
  const content = await contentOf(card, dtype);
  return { reading, dtype, graph: card.files[dtype] ?? null, content, engine };
}

async function contentOf({ origin, ...card }: ModelCard, dtype: Dtype): Promise<Json> {
  if (origin.kind === 'hub') return { repo: origin.repo, revision: origin.revision };
  const folder = origin.kind === 'embedded' ? embeddedFolder(origin.folder) : origin.path;
  const { required, optional } = requiredFiles({ ...card, origin } as ModelCard, dtype);
  return fingerprintFolder(folder, [...required, ...optional]);
}
