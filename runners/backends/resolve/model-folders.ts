import { readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { TenbinError } from '../../../core/errors.js';
import { byCodePoint } from '../../../core/order.js';
import { splitArgument } from '../../../core/registry.js';
import { models } from '../../models/index.js';
import { poolSystems } from '../../pool-systems.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** A folder below TENBIN_MODELS that no system can name, and what it needs for that. */
export interface PassedOver {
  readonly name: string;
  readonly path: string;
  readonly needs: string;
  /** `built-in`: a model of the program has the name and keeps it. */
  readonly why: 'name' | 'built-in' | 'content' | 'root';
}

/** Folders below TENBIN_MODELS that hold a model, by their names: each is known by its folder's name. */
export function modelFolders(environment: Environment): ReadonlyMap<string, string> {
  const usable = entriesOf(environment).filter((entry) => !('needs' in entry));
  return new Map(usable.map(({ name, path }) => [name, path]));
}

/** The other folders there. Files and hidden folders are no models, and nobody thinks so. */
export function passedOver(environment: Environment): readonly PassedOver[] {
  return entriesOf(environment).filter((entry): entry is PassedOver => 'needs' in entry);
}

type Entry = PassedOver | { readonly name: string; readonly path: string };

function entriesOf({ TENBIN_MODELS: given }: Environment): readonly Entry[] {
  if (given === undefined || given === '') return [];
  const root = resolve(given);
  const names = namesIn(root);
  if (isModel(root)) {
    const needs = 'TENBIN_MODELS set to the folder around it: this is the folder of one model';
    return [{ name: basename(root), path: root, needs, why: 'root' }];
  }
  const sorted = names.filter((name) => !name.startsWith('.')).sort(byCodePoint);
  return sorted.flatMap((name) => entryOf(name, join(root, name)));
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

const contents = ['config.json', 'modules.json', 'tenbin.json'] as const;
const builtIn: ReadonlySet<string> = new Set([
  ...models.plugins.map(({ name }) => name),
  ...poolSystems.map(({ id }) => splitArgument(id).name),
]);

function entryOf(name: string, path: string): readonly Entry[] {
  const kind = kindOf(path);
  if (kind === 'file') return [];
  const needs = (what: string, why: PassedOver['why']): readonly Entry[] => [{ name, path, needs: what, why }];
  if (kind === 'nothing') return needs('its files: the link leads nowhere', 'content');
  if (!isModel(path)) return needs('config.json, modules.json or tenbin.json: none is in it', 'content');
  if (builtIn.has(name)) return needs('rename: this is the name of a built-in model', 'built-in');
  // The grammar would read other names as something else.
  if (!/^[A-Za-z0-9][\w.-]*$/.test(name)) return needs('another name: of letters, digits, `.`, `_` and `-`', 'name');
  return [{ name, path }];
}

function isModel(path: string): boolean {
  return contents.some((file) => kindOf(join(path, file)) === 'file');
}

/** `nothing` also for a link that leads nowhere. */
function kindOf(path: string): 'folder' | 'file' | 'nothing' {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'file';
  } catch {
    return 'nothing';
  }
}
