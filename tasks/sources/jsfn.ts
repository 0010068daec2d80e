import type { SourceFacts } from '../types.js';
import { statementParser } from './js-statements.js';
import {
  type DocumentedFunction,
  dateFnsFunctions,
  lodashFunctions,
  mathjsFunctions,
  type ReadFunctions,
  ramdaFunctions,
  rxjsFunctions,
} from './jsfn-libraries.js';
import { memberOf } from './members.js';
import { type Collection, npmSource } from './npm-source.js';
import { need } from './packages.js';
import type { SourcePlugin } from './plugin.js';
import { qrelsOfSameText } from './same-text.js';

type Name = 'lodash' | 'ramda' | 'date-fns' | 'rxjs' | 'mathjs';

interface Library {
  readonly licence: string;
  readonly authors: string;
  readonly address: string;
  readonly read: ReadFunctions;
}

const libraries: Readonly<Record<Name, Library>> = {
  lodash: {
    licence: 'MIT',
    authors: 'OpenJS Foundation and other contributors',
    address: 'https://lodash.com',
    read: lodashFunctions,
  },
  ramda: {
    licence: 'MIT',
    authors: 'Scott Sauyet and Michael Hurley',
    address: 'https://ramdajs.com',
    read: ramdaFunctions,
  },
  'date-fns': {
    licence: 'MIT',
    authors: 'Sasha Koss and Lesha Koss',
    address: 'https://date-fns.org',
    read: dateFnsFunctions,
  },
  rxjs: {
    licence: 'Apache-2.0',
    authors: 'Google, Inc., Netflix, Inc., Microsoft Corp. and contributors',
    address: 'https://rxjs.dev',
    read: rxjsFunctions,
  },
  mathjs: {
    licence: 'Apache-2.0',
    authors: 'Jos de Jong',
    address: 'https://mathjs.org',
    read: mathjsFunctions,
  },
};
const names = Object.keys(libraries) as readonly Name[];

export const jsfn: SourcePlugin = {
  name: 'jsfn',
  summary: 'The first paragraph of a JavaScript function’s documentation → its source without comments.',
  scheme: 'npm',
  form: 'npm:jsfn-<library>',
  members: () => names,
  needs: (member) =>
    [...(member === undefined ? names : [memberOf('jsfn', member, names)]), 'acorn' as const].map(need),
  bind: (argument) => {
    const name = memberOf('jsfn', argument, names);
    return npmSource({
      id: `npm:jsfn-${name}`,
      facts: factsOf(name),
      packages: [name, 'acorn'],
      load: ([library, acorn]) => collectionOf(libraries[name].read(library, statementParser(acorn, library))),
    });
  },
};

function factsOf(name: Name): SourceFacts {
  const { licence, authors, address } = libraries[name];
  return {
    title: `JavaScript functions of ${name}: description → source`,
    licence,
    attribution: `${name}, copyright ${authors} (${licence}), ${address}.`,
    citation: `${authors}. ${name}. ${address}.`,
    language: 'en',
    domain: 'code',
  };
}

// Shorter ones say nothing but their name: `var inc = add(1);`.
const shortestSource = 20;

function collectionOf(all: readonly DocumentedFunction[]): Collection {
  const kept = all.filter(({ source }) => source.length >= shortestSource);
  const queries = kept.map(({ name, description, at }) => ({ id: name, text: description, at }));
  return {
    docs: kept.map(({ name, source, at }) => ({ id: name, title: '', text: source, at })),
    queries,
    qrels: qrelsOfSameText(queries),
  };
}
