import { downloadModel, type Environment, hubSettings } from '../../hub/index.js';
import type { ModelCard } from '../../models/card.js';
import type { ModelAccess } from '../../system.js';
import { embeddedFolder } from './embedded-folder.js';

export interface Wanted {
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

type Reports = Pick<ModelAccess, 'onNote' | 'onDownload'>;

/** Folder of a model's files on this machine; those of a repository are downloaded where they are missing. */
export async function locateModel(
  { origin }: Pick<ModelCard, 'origin'>,
  wanted: Wanted,
  environment: Environment,
  { onNote, onDownload }: Reports,
): Promise<string> {
  if (origin.kind === 'embedded') return embeddedFolder(origin.folder);
  if (origin.kind === 'folder') return origin.path;
  const optional = new Set(wanted.optional);
  const { folder } = await downloadModel({
    repo: origin.repo,
    revision: origin.revision,
    required: wanted.required,
    files: (path) => optional.has(path),
    settings: hubSettings(environment),
    onNote,
    ...(onDownload && { onProgress: onDownload }),
  });
  return folder;
}
