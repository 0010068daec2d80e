import { leadParagraph, tagParagraph } from './doc-comments.js';
import type { Parse, Statement } from './js-statements.js';
import { listPackageFiles, readPackageText, walkPackageFiles } from './package-files.js';
import type { InstalledPackage } from './packages.js';

/** A function of a library: what its authors say that it does, and how it does it. */
export interface DocumentedFunction {
  readonly name: string;
  readonly description: string;
  readonly source: string;
  readonly at: string;
}

export type ReadFunctions = (library: InstalledPackage, parse: Parse) => readonly DocumentedFunction[];

/** lodash: one public function a file in the root folder; `_name.js` are internal, builds hold everything at once. */
export const lodashFunctions: ReadFunctions = (library, parse) =>
  oneFunctionAFile(library, parse, {
    folder: '.',
    accepts: (path) => isPublicFile(path) && path !== 'core.js' && path !== 'lodash.js',
    describe: (comment) => (comment.includes('@static') ? leadParagraph(comment) : ''),
  });

export const ramdaFunctions: ReadFunctions = (library, parse) =>
  oneFunctionAFile(library, parse, {
    folder: 'es',
    accepts: isPublicFile,
    describe: leadParagraph,
  });

/** date-fns: the paragraph is under `@description`; its lead names the options type. */
export const dateFnsFunctions: ReadFunctions = (library, parse) =>
  oneFunctionAFile(library, parse, {
    folder: '.',
    accepts: (path) => isPublicFile(path) && path !== 'cdn.js',
    describe: (comment) => tagParagraph(comment, 'description'),
  });

/** mathjs: the comment mostly stands inside of the factory; those of the public functions have a part named "Syntax". */
export const mathjsFunctions: ReadFunctions = (library, parse) => {
  const folder = 'lib/esm/function';
  return walkPackageFiles(library, folder)
    .filter((path) => path.endsWith('.js'))
    .flatMap((path) => {
      const file = `${folder}/${path}`;
      return parse(readPackageText(library, file), file).flatMap(
        ({ name, comment: before = '', commentsInside, source }) => {
          const comment = [before, ...commentsInside].find((text) => /^\s*\*?\s*Syntax:/m.test(text));
          if (comment === undefined || !name?.startsWith('create')) return [];
          const at = `${library.name}/${file}`;
          return [
            { name: uncapitalized(name.slice('create'.length)), description: leadParagraph(comment), source, at },
          ];
        },
      );
    });
};

/** rxjs: comments are in the TypeScript sources, the functions without types in the compiled modules. */
export const rxjsFunctions: ReadFunctions = (library, parse) => {
  return publicNames(library, ['src/index.ts', 'src/operators/index.ts']).flatMap(({ name, file }) => {
    const description = typescriptDescription(readPackageText(library, `src/internal/${file}.ts`), name);
    if (description === '') return [];
    const compiled = `dist/esm/internal/${file}.js`;
    const found = parse(readPackageText(library, compiled), compiled).find((statement) => statement.name === name);
    return found === undefined
      ? []
      : [{ name, description, source: found.source, at: `${library.name}/src/internal/${file}.ts` }];
  });
};

interface Layout {
  readonly folder: string;
  readonly accepts: (path: string) => boolean;
  /** The description in a doc comment; empty when the comment is not one of a public function. */
  readonly describe: (comment: string) => string;
}

function oneFunctionAFile(library: InstalledPackage, parse: Parse, layout: Layout): readonly DocumentedFunction[] {
  return listPackageFiles(library, layout.folder)
    .filter(layout.accepts)
    .flatMap((path) => {
      const file = layout.folder === '.' ? path : `${layout.folder}/${path}`;
      const name = path.slice(0, -'.js'.length);
      const statement = parse(readPackageText(library, file), file).find((other) => isFunctionNamed(other, name));
      const description = layout.describe(statement?.comment ?? '');
      return statement === undefined || description === ''
        ? []
        : [{ name, description, source: statement.source, at: `${library.name}/${file}` }];
    });
}

/** A table of settings or a placeholder object has a name and a comment too. */
function isFunctionNamed({ name, source }: Statement, wanted: string): boolean {
  return name === wanted && !/^(?:var|const|let) \w+ =\s*\{/.test(source);
}

/** The names that entry points export, each with its file below `src/internal`; many are exported by both. */
function publicNames(library: InstalledPackage, entries: readonly string[]): readonly { name: string; file: string }[] {
  const exported = /export \{([^}]*)\} from '\.{1,2}\/internal\/([^']+)'/g;
  const byKey = new Map<string, { name: string; file: string }>();
  for (const entry of entries) {
    for (const [, names = '', file = ''] of readPackageText(library, entry).matchAll(exported)) {
      for (const name of names.split(',').map((text) => text.trim())) byKey.set(`${file}#${name}`, { name, file });
    }
  }
  return [...byKey.values()];
}

/** Overloads have comments of their own: the last one that describes and does not deprecate is the function's. */
function typescriptDescription(code: string, name: string): string {
  const documented = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*export (?:declare )?function (\w+)/g;
  const comments = [...code.matchAll(documented)].filter(([, , declared]) => declared === name);
  const descriptions = comments
    .filter(([, comment = '']) => !comment.includes('@deprecated'))
    .map(([, comment = '']) => leadParagraph(comment))
    .filter((description) => description !== '');
  return descriptions.at(-1) ?? '';
}

const isPublicFile = (path: string): boolean => /^[a-zA-Z]\w*\.js$/.test(path);

const uncapitalized = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);
