import { TenbinError } from '../core/errors.js';
import { byCodePoint } from '../core/order.js';
import { splitArgument } from '../core/registry.js';
import { unknownName } from '../core/suggest.js';
import { type ModelCatalog, unresolved } from './models/catalog.js';
import { models } from './models/index.js';
import { parseModelReference } from './models/reference.js';
import { poolSystems } from './pool-systems.js';
import type { Analyzer, FamilyName, Model, Variant } from './system.js';
import { variants } from './variants/index.js';

/**
 * What is evaluated. `id` is the canonical text: parsing it gives the same system again, so it serves as constructor,
 * key, column and command-line argument.
 *
 *     system   = stage { " > " stage "@" depth }          bm25 > lsa@256@50
 *     stage    = model { "+" variant } | pool | fusion     lsa@256+int8+rescore@4 · hybrid · rrf(bm25, lsa@256)
 *     model    = a name with parameters, or a reference    bm25@k1=0.9 · dense-tiny · ./folder · hub:org/name · openai:…
 */
export type System =
  | { readonly kind: 'model'; readonly id: string; readonly model: Model; readonly variants: readonly Variant[] }
  | { readonly kind: 'pool'; readonly id: string; readonly pool: string; readonly forced: 'with' | 'without' }
  | { readonly kind: 'fusion'; readonly id: string; readonly parts: readonly System[]; readonly rrfK: number }
  | {
      readonly kind: 'pipeline';
      readonly id: string;
      readonly first: System;
      readonly second: System;
      readonly depth: number;
    };

export const defaultRrfK = 60;
const defaultPipelineDepth = 100;

/** The system of a text, or an error that says what is wrong and suggests the nearest name. */
export function parseSystem(text: string, catalog: ModelCatalog = unresolved): System {
  const stages = splitOutside(text, '>').map((stage) => stage.trim());
  if (stages.some((stage) => stage === '')) throw wrong('A system has an empty part', text);
  const [first = '', ...rest] = stages;
  return rest.reduce<System>((before, stage) => pipeline(before, stage, catalog), parseStage(first, catalog));
}

/** Systems as `--systems` takes them: separated by a comma and a blank, outside parentheses. */
export function splitSystems(text: string): string[] {
  return splitOutside(text, ', ')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** The family that a board shows; a pipeline or fusion has its last stage's. */
export function familyOf(system: System): FamilyName {
  if (system.kind === 'model') return system.model.family;
  if (system.kind === 'pool') return 'dense';
  if (system.kind === 'pipeline') return familyOf(system.second);
  const last = system.parts.at(-1);
  return last === undefined ? 'lexical' : familyOf(last);
}

/** Every model that a system is made of, in order. */
export function modelsOf(system: System): readonly Model[] {
  switch (system.kind) {
    case 'model':
      return [system.model];
    case 'pool':
      return [];
    case 'fusion':
      return system.parts.flatMap(modelsOf);
    case 'pipeline':
      return [system.first, system.second].flatMap(modelsOf);
  }
}

/** Every analyzer that a system uses on a task whose language chooses `chosen`, each once, by id. */
export function analyzersOf(system: System, chosen: Analyzer): readonly Analyzer[] {
  const used = new Map(allAnalyzers(system, chosen).map((analyzer) => [analyzer.id, analyzer]));
  return [...used.values()].sort((a, b) => byCodePoint(a.id, b.id));
}

function allAnalyzers(system: System, chosen: Analyzer): readonly Analyzer[] {
  switch (system.kind) {
    case 'model':
      return analyzersOfModel(system.model, chosen);
    case 'pool':
      return [];
    case 'fusion':
      return system.parts.flatMap((part) => allAnalyzers(part, chosen));
    case 'pipeline':
      return [system.first, system.second].flatMap((stage) => allAnalyzers(stage, chosen));
  }
}

function analyzersOfModel(model: Model, chosen: Analyzer): readonly Analyzer[] {
  // Models with weights bring a tokenizer of their own.
  if (model.kind === 'pretrained') return [];
  return [(model.kind === 'lexical' ? model.analyzer : undefined) ?? chosen];
}

function pipeline(first: System, stage: string, catalog: ModelCatalog): System {
  const { second, depth } = stageAtDepth(stage, catalog);
  if (second.kind === 'pool') {
    throw wrong('A frozen pool cannot reorder another list', second.id, 'Put the pool first: `hybrid > SYSTEM@100`.');
  }
  return { kind: 'pipeline', id: `${first.id} > ${second.id}@${depth}`, first, second, depth };
}

/** `lsa@256@50` is lsa@256 at depth 50; `lsa@256` alone could be read in two ways, so it is refused. */
function stageAtDepth(stage: string, catalog: ModelCatalog): { readonly second: System; readonly depth: number } {
  const depth = /^(.*[^@])@(\d+)$/s.exec(stage);
  const whole = attempt(() => parseStage(stage, catalog));
  if (depth === null) return { second: whole.get(), depth: defaultPipelineDepth };
  const [, name = '', digits = ''] = depth;
  const cut = attempt(() => parseStage(name, catalog));
  if (cut.failed) return { second: whole.get(), depth: defaultPipelineDepth };
  if (!whole.failed) {
    throw wrong(
      'The number at the end could be an argument or the depth',
      stage,
      `Write \`${whole.get().id}@${defaultPipelineDepth}\` for the first, \`${cut.get().id}@${digits}\` for the second.`,
    );
  }
  if (Number(digits) < 1) throw wrong('A depth is at least 1', stage);
  return { second: cut.get(), depth: Number(digits) };
}

function attempt<T>(action: () => T): { readonly failed: boolean; readonly get: () => T } {
  try {
    const value = action();
    return { failed: false, get: () => value };
  } catch (error) {
    return {
      failed: true,
      get: () => {
        throw error;
      },
    };
  }
}

function parseStage(text: string, catalog: ModelCatalog): System {
  const fusion = /^rrf(?:@(\d+))?\((.*)\)$/s.exec(text);
  if (fusion !== null) return fusionOf(fusion[2] ?? '', Number(fusion[1] ?? defaultRrfK), catalog);
  const pool = poolSystems.find(({ id }) => id === text);
  if (pool !== undefined) return { kind: 'pool', ...pool };
  const [modelText = '', ...variantTexts] = text.split('+').reduce<string[]>(joinScorings, []);
  const model = modelOf(modelText, catalog);
  const bound = variantTexts.map((variant) => variants.bind(variant.replace(/^(\w+)\((.*)\)$/s, '$1@$2')));
  return { kind: 'model', id: [model.id, ...bound.map(({ id }) => id)].join('+'), model, variants: bound };
}

function modelOf(text: string, catalog: ModelCatalog): Model {
  const reference = parseModelReference(text, (name) => catalog.names.includes(name));
  if (reference !== null) return catalog.bind(reference);
  const { name } = splitArgument(text);
  if (models.has(name)) return models.bind(text);
  const builtIn = models.plugins.map((plugin) => plugin.name);
  const known = [...builtIn, ...catalog.names, ...poolSystems.map(({ id }) => id), 'rrf(A, B)'];
  throw unknownName('system', name, known, 'tenbin systems');
}

/** `bm25@scoring=bm25+` holds a plus of its own: an empty piece, or one that follows an equals sign's name, joins back. */
function joinScorings(pieces: string[], piece: string): string[] {
  const last = pieces.at(-1);
  const joins =
    last !== undefined && pieces.length === 1 && /scoring=bm25$/.test(last) && (piece === '' || piece.startsWith(','));
  return joins ? [`${last}+${piece}`] : [...pieces, piece];
}

function fusionOf(inside: string, rrfK: number, catalog: ModelCatalog): System {
  const parts = splitOutside(inside, ',', 'strict').map((part) => parseSystem(part.trim(), catalog));
  if (parts.length < 2)
    throw wrong('A fusion needs at least two systems', `rrf(${inside})`, 'Write `rrf(bm25, lsa@256)`.');
  const head = rrfK === defaultRrfK ? 'rrf' : `rrf@${rrfK}`;
  return { kind: 'fusion', id: `${head}(${parts.map(({ id }) => id).join(', ')})`, parts, rrfK };
}

/** Splits at a separator outside parentheses. Inside a fusion a comma separates only where a blank follows. */
function splitOutside(text: string, separator: '>' | ',' | ', ', mode: 'plain' | 'strict' = 'plain'): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '(') depth++;
    if (text[i] === ')') depth--;
    if (depth < 0) break;
    const here = depth === 0 && text.startsWith(separator, i) && (mode === 'plain' || /\s/.test(text[i + 1] ?? ' '));
    if (!here) continue;
    parts.push(text.slice(start, i));
    start = i + separator.length;
  }
  if (depth !== 0) throw wrong('The parentheses of a system do not match', text);
  return [...parts, text.slice(start)];
}

function wrong(what: string, value: string, fix = '`tenbin systems` lists examples.'): TenbinError {
  return new TenbinError('usage', { what, value, fix });
}
