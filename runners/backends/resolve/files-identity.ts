import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Json } from '../../../core/canonical.js';
import type { Dtype, ModelCard } from '../../models/card.js';
import { tokenizerVersion } from '../../tokenizers/index.js';
import { fingerprintFolder, requiredFiles } from '../model-folder/index.js';
import { scanGraph } from '../onnx/graph-file.js';
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
  const external = await externalDataOf(folder, required);
  return fingerprintFolder(folder, [...new Set([...required, ...optional, ...external])]);
}

/** A graph may name its external data as it likes. */
async function externalDataOf(folder: string, files: readonly string[]): Promise<string[]> {
  const names: string[] = [];
  for (const graph of files.filter((file) => file.endsWith('.onnx'))) {
    const beside = graph.slice(0, graph.lastIndexOf('/') + 1);
    // A graph that is not there is said when the model is opened.
    const scan = await scanGraph(join(folder, graph)).catch(() => null);
    names.push(...(scan?.externalFiles ?? []).map((name) => beside + name));
  }
  return names;
}
