import type { Comment, Program } from 'acorn';
import { loadModule, unfit } from './package-files.js';
import type { InstalledPackage } from './packages.js';

type Acorn = typeof import('acorn');

/** One top-level statement of a JavaScript file. */
export interface Statement {
  /** The name that it declares; undefined for imports, expressions and the like. */
  readonly name: string | undefined;
  /** The doc comment that stands right before it. */
  readonly comment: string | undefined;
  readonly commentsInside: readonly string[];
  /** The text of the declaration, without comments and without `export`. */
  readonly source: string;
}

export type Parse = (code: string, path: string) => readonly Statement[];

/** A parser of the files of one package, by the installed acorn. */
export function statementParser(acornPackage: InstalledPackage, item: InstalledPackage): Parse {
  const acorn = loadModule(acornPackage, 'dist/acorn.js') as Acorn;
  return (code, path) => {
    try {
      return statementsOf(acorn, code);
    } catch (cause) {
      throw unfit(item, path, cause);
    }
  };
}

function statementsOf(acorn: Acorn, code: string): readonly Statement[] {
  const comments: Comment[] = [];
  const isModule = /^(?:import|export)\b/m.test(code);
  const program = acorn.parse(code, {
    ecmaVersion: 'latest',
    sourceType: isModule ? 'module' : 'script',
    onComment: comments,
  });
  const docs = comments.filter(({ type, value }) => type === 'Block' && value.startsWith('*'));
  return program.body.map((node) => {
    const declared = declarationOf(node);
    const before = docs.find(({ end }) => end <= node.start && code.slice(end, node.start).trim() === '');
    return {
      name: nameOf(declared),
      comment: before?.value,
      commentsInside: docs.filter(({ start, end }) => start >= node.start && end <= node.end).map(({ value }) => value),
      source: withoutComments(code, declared, comments),
    };
  });
}

type TopLevel = Program['body'][number];

function declarationOf(node: TopLevel) {
  const exported = node.type === 'ExportNamedDeclaration' || node.type === 'ExportDefaultDeclaration';
  return exported ? (node.declaration ?? node) : node;
}

function nameOf(node: ReturnType<typeof declarationOf>): string | undefined {
  if (node.type === 'FunctionDeclaration') return node.id?.name;
  if (node.type !== 'VariableDeclaration') return undefined;
  const first = node.declarations[0]?.id;
  return first?.type === 'Identifier' ? first.name : undefined;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The text of a span with its comments cut out and the lines that become empty left away. */
function withoutComments(code: string, { start, end }: Span, comments: readonly Span[]): string {
  const inside = comments.filter((comment) => comment.start >= start && comment.end <= end);
  const cuts = [start, ...inside.flatMap((comment) => [comment.start, comment.end]), end];
  const kept: string[] = [];
  for (let i = 0; i < cuts.length; i += 2) kept.push(code.slice(cuts[i], cuts[i + 1]));
  return joined(kept)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n');
}

/** A comment can be all that parts two words: `return/* why *\/x`. */
function joined(parts: readonly string[]): string {
  return parts.reduce((text, part) => (/\w$/.test(text) && /^\w/.test(part) ? `${text} ${part}` : text + part), '');
}
