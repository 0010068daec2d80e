import { isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import { reasonOf, TenbinError } from '../../core/errors.js';

export type KeyPath = readonly (string | number)[];

/** What a policy's file says, and where. */
export interface PolicySource {
  readonly value: unknown;
  /** `gate.yaml:9`: the line of a key, or of the nearest one around it. */
  readonly at: (path: KeyPath) => string;
}

/** A policy is written by hand: a file beyond this is another file. */
const mostCharacters = 1_000_000;

/** YAML 1.2 of one document. Broken syntax, repeated keys and aliases that expand without end are `usage` with the line. */
export function readPolicyYaml(text: string, where: string): PolicySource {
  if (text.length > mostCharacters)
    throw broken(`${text.length} characters, and ${mostCharacters} are the limit`, where);
  const lines = new LineCounter();
  const document = guarded(() => parseDocument(text, { lineCounter: lines, prettyErrors: false }), where);
  const [fault] = [...document.errors, ...document.warnings];
  if (fault !== undefined) throw broken(fault.message, `${where}:${lines.linePos(fault.pos[0]).line}`);
  const value: unknown = guarded(() => document.toJS({ maxAliasCount: 100 }), where);
  const at = (path: KeyPath): string => {
    const offset = offsetOf(document, path);
    return offset === null ? where : `${where}:${lines.linePos(offset).line}`;
  };
  return { value, at };
}

type Document = ReturnType<typeof parseDocument>;

function offsetOf(document: Document, path: KeyPath): number | null {
  const node = path.length === 0 ? document.contents : document.getIn(path, true);
  if (isNode(node) && node.range) return node.range[0];
  if (path.length === 0) return null;
  return keyOffset(document, path) ?? offsetOf(document, path.slice(0, -1));
}

/** The key itself, where it has no value. */
function keyOffset(document: Document, path: KeyPath): number | null {
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  if (!isMap(parent)) return null;
  const key = parent.items.map((pair) => pair.key).find((key) => isScalar(key) && key.value === path.at(-1));
  return isScalar(key) && key.range ? key.range[0] : null;
}

/** The parser recurses, so a file of brackets alone ends its stack. */
function guarded<T>(read: () => T, where: string): T {
  try {
    return read();
  } catch (thrown) {
    throw broken(reasonOf(thrown), where);
  }
}

function broken(reason: string, value: string): TenbinError {
  return new TenbinError('usage', {
    what: `The policy is no readable YAML (${reason})`,
    value,
    fix: 'Correct the file; docs/gate.md shows a policy.',
  });
}
