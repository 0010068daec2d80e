import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { TenbinError } from '../../../core/errors.js';
import { fileError } from '../../../tasks/files.js';
import { fieldsOf, type JsonFile, readJson, readText, wrongFile } from './json-file.js';
import { moduleType } from './module-types.js';

/** A module of sentence-transformers or PyLate: the class that runs it and the folder of its settings. */
export interface Module {
  /** The last part of the class's name (`Transformer`, `Pooling`, `Dense`); of other packages' classes the whole name. */
  readonly type: string;
  /** The file of its settings, whether or not it is there. */
  readonly settingsFile: string;
  readonly pylate: boolean;
  /** Its settings; null where the module has none. */
  readonly config: JsonFile | null;
  /** Whether weights of its own stand beside the settings, as those of a linear layer do. */
  readonly weights: boolean;
}

/** Everything in a model's folder that facts are read from. Files that are not there are null. */
export interface FolderContents {
  readonly path: string;
  readonly config: JsonFile | null;
  readonly modules: readonly Module[] | null;
  readonly sentenceTransformers: JsonFile | null;
  readonly sentenceBert: JsonFile | null;
  readonly tokenizer: JsonFile | null;
  /** A chat template in a file of its own. */
  readonly chatTemplate: string | null;
  readonly overrides: JsonFile | null;
  readonly licence: string | null;
  readonly readme: string | null;
  /** Names of files in the folder and in its `onnx/`. */
  readonly names: readonly string[];
}

/** Model cards with result tables reach a few hundred kilobytes. */
const maxReadmeBytes = 4 * 1024 * 1024;
const maxTemplateBytes = 256 * 1024;

export async function readContents(path: string): Promise<FolderContents> {
  const names = await namesIn(path);
  const json = (name: string) => readJson(path, name);
  return {
    path,
    config: await json('config.json'),
    modules: await readModules(path),
    sentenceTransformers: await json('config_sentence_transformers.json'),
    sentenceBert: await json('sentence_bert_config.json'),
    tokenizer: await json('tokenizer_config.json'),
    chatTemplate: await readText(path, 'chat_template.jinja', maxTemplateBytes),
    overrides: await json('tenbin.json'),
    licence: await readText(path, 'LICENSE'),
    readme: await readText(path, 'README.md', maxReadmeBytes),
    names,
  };
}

async function namesIn(path: string): Promise<readonly string[]> {
  const root = await list(path);
  if (root === null) {
    throw new TenbinError('missing', {
      what: 'There is no such model folder',
      value: path,
      fix: 'Check the path; a model of the hub is written `hub:org/name`.',
    });
  }
  return [...root, ...((await list(join(path, 'onnx'))) ?? []).map((name) => `onnx/${name}`)];
}

async function list(path: string): Promise<readonly string[] | null> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw fileError('read', path, cause);
  }
}

const modulesSchema = z.array(z.object({ path: z.string().max(200), type: z.string().max(200) })).max(20);
const routerSchema = z.object({
  types: z.record(z.string().max(200), z.string().max(200)),
  structure: z.object({ query: z.array(z.string().max(200)).max(20), document: z.array(z.string().max(200)).max(20) }),
});

async function readModules(folder: string): Promise<readonly Module[] | null> {
  const file = await readJson(folder, 'modules.json');
  if (file === null) return null;
  const modules: Module[] = [];
  for (const [i, { path, type }] of fieldsOf(file, modulesSchema).entries()) {
    checkInside(path, `[${i}].path`, file.name);
    const read = await readModule(folder, path, type);
    modules.push(...(read.type === 'Router' ? await readRouter(folder, path) : [read]));
  }
  return modules;
}

async function readModule(folder: string, path: string, type: string): Promise<Module> {
  const below = path.replace(/\/+$/, '');
  const settingsFile = path === '' ? 'config.json' : `${below}/config.json`;
  // At the root that is the transformer's.
  const config = path === '' ? null : await readJson(folder, settingsFile);
  const weights = path !== '' && ((await list(join(folder, below))) ?? []).includes('model.safetensors');
  return { type: moduleType(type), settingsFile, pylate: type.startsWith('pylate.'), config, weights };
}

/** Queries and documents go through different modules (inference-free sparse models): both are listed, documents first. */
async function readRouter(folder: string, path: string): Promise<readonly Module[]> {
  const prefix = path === '' ? '' : `${path.replace(/\/+$/, '')}/`;
  const file = await readJson(folder, `${prefix}router_config.json`);
  if (file === null) throw wrongFile('A Router needs its router_config.json', `${prefix}router_config.json`);
  const { types, structure } = fieldsOf(file, routerSchema);
  const known = new Map(Object.entries(types));
  const modules: Module[] = [];
  for (const name of [...structure.document, ...structure.query]) {
    checkInside(name, 'structure', file.name);
    modules.push(await readModule(folder, `${prefix}${name}`, known.get(name) ?? name));
  }
  return modules;
}

/** A path from modules.json stays below the model's folder. */
function checkInside(path: string, field: string, file: string): void {
  const outside = /^[/\\]|^[A-Za-z]:|\\|\0/.test(path) || path.split('/').includes('..');
  if (outside) throw wrongFile(`A module must stand below the model's folder, which \`${field}\` does not`, file);
}
