import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { reasonOf, TenbinError } from '../../../core/errors.js';
import { checkedTensors, preparedEncoding } from '../../families/prepare-encoding.js';
import {
  type BackendOutput,
  type CustomModel,
  familyNames,
  type Hits,
  type Index,
  type Prepared,
  type Texts,
  type Work,
} from '../../system.js';
import { workUnits } from '../../work.js';
import type { ResolvedModel } from './resolve-models.js';

/**
 * A module of the user's exports one of two things.
 *
 *     export const backend = { family: 'dense', summary, encode: (texts, engine) => ({ dims, docs, queries }) }
 *     export const family = { family: 'lexical', summary, prepare: (texts, engine) => ({ search, bytes?, bytesPerDoc? }) }
 *
 * A backend gives tensors of a family of ours, so every variant applies to it; a family searches by itself.
 */
const named = { family: z.enum(familyNames), summary: z.string().min(1).optional() };
const callable = z.custom<(...given: readonly unknown[]) => unknown>((value) => typeof value === 'function', {
  error: 'a function is wanted',
});
const backendSchema = z.looseObject({
  ...named,
  family: z.enum(['dense', 'sparse', 'late-interaction']),
  encode: callable,
});
const familySchema = z.looseObject({ ...named, prepare: callable });

export async function customModel({ text, path, digest }: Extract<ResolvedModel, { readonly kind: 'module' }>) {
  const module = await imported(path);
  const identity = { module: digest };
  if ('backend' in module) return ofBackend(text, identity, parsed(backendSchema, module.backend, `${text}: backend`));
  if ('family' in module) return ofFamily(text, identity, parsed(familySchema, module.family, `${text}: family`));
  throw new TenbinError('malformed', {
    what: 'This module exports no system',
    value: text,
    fix: 'Export `backend` (with `encode`) or `family` (with `prepare`): docs/custom.md has an example.',
  });
}

function ofBackend(id: string, identity: CustomModel['identity'], backend: z.infer<typeof backendSchema>): CustomModel {
  const { family, summary = 'a backend from a module', encode } = backend;
  const prepare = async (texts: Texts, engine: unknown): Promise<Prepared> => {
    const tensors = await encode(copyOf(texts), engine);
    const encoding = checkedTensors(family, tensors, id);
    const output: BackendOutput = { encoding, encodeWork: {}, modelBytes: 0, conditions: { custom: id } };
    return preparedEncoding(output, texts, id);
  };
  return { kind: 'custom', family, id, summary, identity, prepare };
}

function ofFamily(id: string, identity: CustomModel['identity'], custom: z.infer<typeof familySchema>): CustomModel {
  const { family, summary = 'a family from a module', prepare: make } = custom;
  const prepare = async (texts: Texts, engine: unknown): Promise<Prepared> => {
    const made = parsed(indexSchema, await make(copyOf(texts), engine), `${id}: what prepare returned`);
    const { search, bytes, bytesPerDoc } = made;
    const docCount = texts.docs.length;
    const index: Index = {
      bytes,
      bytesPerDoc,
      search: async (...given) => hitsOf(await search(...given), docCount, `${id}: what search returned`),
    };
    const base = { encoding: null, exact: index, index, encodeWork: {}, modelBytes: 0, applied: [] };
    return { ...base, conditions: { custom: id } };
  };
  return { kind: 'custom', family, id, summary, identity, prepare };
}

const indexSchema = z.looseObject({
  search: callable,
  bytes: z.number().nonnegative().default(0),
  bytesPerDoc: z.number().nonnegative().default(0),
});

const numbers = z.custom<ArrayLike<number>>(
  (value) => Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView)),
  { error: 'an array of numbers is wanted' },
);
const workSchema = z.partialRecord(z.enum(workUnits), z.number().nonnegative());
const hitsSchema = z.looseObject({ docs: numbers, scores: numbers, work: workSchema.default({}) });

/** Texts are shared by all systems of a task, and a module may do with its own what it likes. */
function copyOf({ docs, queries }: Texts): Texts {
  return { docs: [...docs], queries: [...queries] };
}

/** Scores and their order are checked where every run's are: in the ranking. */
function hitsOf(value: unknown, docCount: number, title: string): Hits {
  const { docs, scores, work } = parsed(hitsSchema, value, title);
  const problem = problemOf(Array.from(docs), scores.length, docCount);
  if (problem !== null) throw broken(title, problem);
  return { docs: Int32Array.from(docs), scores: Float64Array.from(scores), work: definedOf(work) };
}

function definedOf(work: z.output<typeof workSchema>): Work {
  return Object.fromEntries(Object.entries(work).filter(([, amount]) => amount !== undefined));
}

function problemOf(docs: readonly number[], scoreCount: number, docCount: number): string | null {
  if (docs.length !== scoreCount) return `It gave ${docs.length} documents and ${scoreCount} scores: one for each.`;
  const outside = docs.find((doc) => !Number.isInteger(doc) || doc < 0 || doc >= docCount);
  if (outside !== undefined) return `There is no document ${outside}: positions go from 0 to ${docCount - 1}.`;
  if (new Set(docs).size === docs.length) return null;
  return `It gave document ${docs.find((doc, i) => docs.indexOf(doc) !== i)} twice.`;
}

async function imported(path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await import(pathToFileURL(path).href);
  } catch (cause) {
    throw new TenbinError('malformed', {
      what: 'This module cannot be loaded',
      value: path,
      fix: `Node says: ${reasonOf(cause)}`,
      cause,
    });
  }
}

function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown, title: string): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw broken(title, z.prettifyError(result.error).split('\n').slice(0, 2).join(' '));
}

function broken(title: string, fix: string): TenbinError {
  return new TenbinError('malformed', { what: 'A custom system does not keep its contract', value: title, fix });
}
