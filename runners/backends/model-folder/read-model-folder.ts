import { z } from 'zod';
import { printable, TenbinError } from '../../../core/errors.js';
import type { ModelCard, ModelOrigin } from '../../models/card.js';
import { factSchemas, families } from './card-facts.js';
import { chooseDtype } from './choose-dtype.js';
import { denseDraft } from './dense.js';
import { type Draft, draftOf, isOpen, type OpenFact, type Reading } from './draft.js';
import { type FolderFamily, familyOf } from './family.js';
import { type FolderContents, readContents } from './folder-contents.js';
import { graphFiles } from './graph-files.js';
import { fieldsOf, type JsonFile } from './json-file.js';
import { lateInteractionDraft } from './late-interaction.js';
import { languagesOf, licenceOf } from './licence.js';
import { maxLengthOf } from './max-length.js';
import { parametersOf } from './parameters.js';
import { rerankerDraft } from './reranker.js';
import { sparseDraft } from './sparse.js';
import { stackOf } from './stacks/index.js';

export interface FolderOptions {
  readonly id: string;
  readonly origin: ModelOrigin;
  /** A number format that has to be there. */
  readonly dtype?: string;
  /** The graphs, where they are known and not in the folder yet: those of a repository. */
  readonly graphs?: ModelCard['files'];
}

const drafts: Readonly<Record<FolderFamily, (contents: FolderContents) => Draft>> = {
  dense: denseDraft,
  sparse: sparseDraft,
  'late-interaction': lateInteractionDraft,
  reranker: rerankerDraft,
};

/**
 * The card of a model in a folder, in the layout of the hub. What its configs do not say is asked for: the error names
 * the facts, and tenbin.json in the folder gives them (card fields; they win over what is read).
 */
export async function readModelFolder(path: string, options: FolderOptions): Promise<ModelCard> {
  const card = cardOf(await readContents(path), options);
  if (options.dtype !== undefined) chooseDtype(card, options.dtype);
  return card;
}

/** The same without the file system. */
export function cardOf(contents: FolderContents, { id, origin, graphs }: FolderOptions): ModelCard {
  const { family, given } = overridesOf(contents);
  const draft = drafts[family](contents);
  const shared = sharedFacts(contents, family);
  const files = graphs ?? graphFiles(contents.names);
  const facts = new Map([...shared.facts, ['files', files], ...draft.facts, ...given]);
  const open = [...shared.open, ...draft.open].filter(([name]) => !facts.has(name));
  if (open.length > 0) throw unknownFacts(contents.path, open);
  const merged = Object.fromEntries(facts);
  // Each part was checked where it was read, so this holds the parts against each other and against the card's shape.
  fieldsOf({ name: 'the card read from this folder', value: merged }, factSchemas[family]);
  return { id, family, origin, ...merged, verified: false } as ModelCard;
}

const familySchema = z.object({ family: z.enum(families).optional() });

function overridesOf(contents: FolderContents): {
  readonly family: FolderFamily;
  readonly given: ReadonlyMap<string, unknown>;
} {
  const file = contents.overrides;
  const said = file === null ? undefined : fieldsOf(file, familySchema).family;
  const family = said ?? known(contents.path, familyOf(contents));
  return { family, given: file === null ? new Map() : givenFacts(file, family) };
}

function known(path: string, family: Reading<FolderFamily>): FolderFamily {
  if (isOpen(family)) throw unknownFacts(path, [['family', family]]);
  return family.value;
}

function givenFacts(file: JsonFile, family: FolderFamily): ReadonlyMap<string, unknown> {
  const schema = factSchemas[family].partial().extend({ family: z.enum(families).optional() });
  const { family: _family, ...given } = fieldsOf(file, schema);
  return new Map(Object.entries(given));
}

/** Facts that every family has. */
function sharedFacts(contents: FolderContents, family: FolderFamily): Draft {
  const architecture = stackOf(contents.config)?.architecture;
  const parameters = parametersOf(contents, family);
  return draftOf({
    summary: { value: `${kinds[family]} as the files in its folder describe it` },
    maxLength: family === 'late-interaction' ? longerSide(contents) : maxLengthOf(contents),
    ...(architecture === undefined ? {} : { architecture: { value: architecture } }),
    ...(parameters === null ? {} : { parameters: { value: parameters } }),
    languages: { value: languagesOf(contents) },
    licence: { value: licenceOf(contents) },
  });
}

/** Queries and documents have lengths of their own: the longer one is the model's. */
function longerSide(contents: FolderContents): Reading<number> {
  const { facts } = lateInteractionDraft(contents);
  const lengths = [facts.get('queryLength'), facts.get('documentLength')].filter(
    (length) => typeof length === 'number',
  );
  return lengths.length === 2 ? { value: Math.max(...lengths) } : maxLengthOf(contents);
}

const kinds: Readonly<Record<FolderFamily, string>> = {
  dense: 'Dense model',
  sparse: 'Learned sparse model',
  'late-interaction': 'Late-interaction model',
  reranker: 'Reranker',
};

function unknownFacts(path: string, open: readonly (readonly [string, OpenFact])[]): TenbinError {
  const listed = open.map(
    ([name, { looked, reason }]) => `${name} (${printable(reason ?? 'not said')}; ${looked.join(', ')})`,
  );
  const example = JSON.stringify(Object.fromEntries(open.map(([name]) => [name, '…'])));
  const refused = open.some(([, { reason }]) => reason !== undefined);
  return new TenbinError(refused ? 'refused' : 'missing', {
    what: `Facts of this model could not be read: ${listed.join('; ')}`,
    value: path,
    fix: `Give them in tenbin.json in the model's folder, as fields of a card: ${example}.`,
  });
}
