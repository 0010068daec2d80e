import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { TenbinError } from '../../../core/errors.js';
import { byCodePoint } from '../../../core/order.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Folders below TENBIN_MODELS that hold a model, by their names: each is known by its folder's name. */
export function modelFolders(environment: Environment): ReadonlyMap<string, string> {
  const root = environment.TENBIN_MODELS;
  if (root === undefined || root === '') return new Map();
  const names = namesIn(root).filter((name) => isModel(join(root, name)));
  return new Map(names.sort(byCodePoint).map((name) => [name, resolve(root, name)]));
}

function namesIn(root: string): string[] {
  try {
    return readdirSync(root);
  } catch (cause) {
    throw new TenbinError('missing', {
      what: 'TENBIN_MODELS is not a folder that can be read',
      value: root,
      fix: 'Set it to a folder of model folders, or unset it.',
      cause,
    });
  }
}

/** Names that the grammar would read as something else are passed over. */
function isModel(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (!/^[A-Za-z0-9][\w.-]*$/.test(name)) return false;
  return ['config.json', 'modules.json', 'tenbin.json'].some((file) => isFile(join(path, file)));
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    // Not there, or what should be a folder is a file.
    return false;
  }
}
