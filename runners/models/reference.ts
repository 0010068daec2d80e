import { TenbinError } from '../../core/errors.js';
import { splitArgument } from '../../core/registry.js';
import { nearest } from '../../core/suggest.js';
import { type Dtype, dtypes } from './card.js';

export const services = ['openai', 'ollama', 'tei', 'cohere', 'jina', 'llm'] as const;
export type Service = (typeof services)[number];

/**
 * A model that is not part of the program: where its facts come from, before anything is read. `text` is its canonical
 * spelling.
 *
 *     all-minilm-l6-v2 · splade-tiny@dtype=int8 · ./folder@dtype=fp16,maxLength=64 · hub:org/name@main,dtype=int8 ·
 *     openai:text-embedding-3-small · tei:http://127.0.0.1:8080 · ./my-system.mjs
 */
export type ModelReference =
  | ({ readonly kind: 'card'; readonly text: string; readonly name: string } & FileParameters)
  | ({ readonly kind: 'folder'; readonly text: string; readonly path: string } & FileParameters)
  | ({
      readonly kind: 'hub';
      readonly text: string;
      readonly repo: string;
      readonly revision: string | null;
    } & FileParameters)
  | { readonly kind: 'service'; readonly text: string; readonly service: Service; readonly rest: string }
  | { readonly kind: 'module'; readonly text: string; readonly path: string };

/** What can be said of a model that comes as files. */
interface FileParameters {
  readonly dtype: Dtype | null;
  /** Tokens of a text, special ones included: fewer than the card's. */
  readonly maxLength?: number;
}

const moduleFile = /\.(mjs|js|cjs)$/;
const service = new RegExp(`^(${services.join('|')}):(.+)$`, 's');

/** Reads a model's text; null when it is none of these kinds, `isCard` telling the names of cards. */
export function parseModelReference(text: string, isCard: (name: string) => boolean): ModelReference | null {
  const found = service.exec(text);
  if (found !== null) return serviceReference(text, found[1] as Service, found[2] ?? '');
  if (text.startsWith('hub:')) return hubReference(text.slice('hub:'.length));
  const { name, argument } = splitArgument(text);
  if (/^(\.{0,2}\/|[A-Za-z]:\\)/.test(name)) {
    if (moduleFile.test(name)) return moduleReference(name, argument);
    const parameters = parametersOf(text, argument);
    return { kind: 'folder', text: spelled(name, parameters), path: name, ...parameters };
  }
  if (!isCard(name)) return null;
  const parameters = parametersOf(text, argument);
  return { kind: 'card', text: spelled(name, parameters), name, ...parameters };
}

/** `@` belongs to a service only where it takes parameters: elsewhere it is the depth of a pipeline's stage. */
function serviceReference(text: string, name: Service, rest: string): ModelReference {
  // A name may begin with `@`, as those of Cloudflare do.
  const at = rest.indexOf('@', 1);
  const model = at < 0 ? rest : rest.slice(0, at);
  if (at >= 0 && !(name === 'llm' && /^@[^@]*=[^@]*$/.test(rest.slice(at)))) {
    throw wrong('This model takes no argument', text, `Write \`${name}:${model}\`.`);
  }
  return { kind: 'service', text, service: name, rest };
}

function moduleReference(path: string, argument: string | undefined): ModelReference {
  if (argument === undefined) return { kind: 'module', text: path, path };
  throw wrong('A module takes no argument', `${path}@${argument}`, `Write \`${path}\`.`);
}

const repository = /^[A-Za-z0-9][\w.-]*(\/[A-Za-z0-9][\w.-]*)?$/;

function hubReference(rest: string): ModelReference {
  const { name: repo, argument = '' } = splitArgument(rest);
  if (!repository.test(repo) || repo.includes('..')) {
    throw wrong(
      'This is not the name of a repository',
      `hub:${rest}`,
      'Write `hub:org/name` or `hub:org/name@revision`.',
    );
  }
  const pieces = argument === '' ? [] : argument.split(',');
  const revisions = pieces.filter((piece) => !piece.includes('='));
  const parameters = parametersOf(`hub:${rest}`, pieces.filter((piece) => piece.includes('=')).join(',') || undefined);
  if (revisions.length > 1) throw wrong('A repository has one revision', `hub:${rest}`, 'Name it once.');
  const revision = revisions[0] ?? null;
  // A short number is the depth of a pipeline's stage, never a branch.
  if (revision !== null && (!/^[\w./-]+$/.test(revision) || revision.includes('..') || /^\d{1,6}$/.test(revision))) {
    throw wrong('This is not a revision', `hub:${rest}`, 'Give a branch, a tag or a commit.');
  }
  const shown = [...(revision === null ? [] : [revision]), ...shownParameters(parameters)].join(',');
  return { kind: 'hub', text: `hub:${repo}${shown === '' ? '' : `@${shown}`}`, repo, revision, ...parameters };
}

/** Fewer would leave no room for a word between the special tokens of a pair. */
const leastLength = 8;

function parametersOf(text: string, argument: string | undefined): FileParameters {
  const given = new Map<string, string>();
  for (const pair of argument?.split(',') ?? []) {
    const found = /^(dtype|maxLength)=(\w+)$/.exec(pair);
    if (found === null || given.has(found[1])) {
      const fix = 'Write for example `@dtype=int8`, `@maxLength=64` or `@dtype=int8,maxLength=64`.';
      throw wrong('A model takes the parameters dtype and maxLength, each once', text, fix);
    }
    given.set(found[1], found[2]);
  }
  const [dtype, maxLength] = [given.get('dtype'), given.get('maxLength')];
  return {
    dtype: dtype === undefined ? null : dtypeOf(text, dtype),
    ...(maxLength !== undefined && { maxLength: lengthOf(text, maxLength) }),
  };
}

function lengthOf(text: string, length: string): number {
  if (/^[1-9]\d{0,6}$/.test(length) && Number(length) >= leastLength) return Number(length);
  throw wrong(`maxLength is a whole number of tokens from ${leastLength}`, text, 'Write for example `@maxLength=64`.');
}

function dtypeOf(text: string, wanted: string): Dtype {
  const dtype = dtypes.find((name) => name === wanted);
  if (dtype !== undefined) return dtype;
  const near = nearest(wanted, dtypes);
  const hint = near === undefined ? '' : `Did you mean \`${near}\`? `;
  throw wrong('This is no number format', `${wanted} of ${text}`, `${hint}There are ${dtypes.join(', ')}.`);
}

function spelled(name: string, parameters: FileParameters): string {
  const shown = shownParameters(parameters);
  return shown.length === 0 ? name : `${name}@${shown.join(',')}`;
}

function shownParameters({ dtype, maxLength }: FileParameters): readonly string[] {
  return [
    ...(dtype === null ? [] : [`dtype=${dtype}`]),
    ...(maxLength === undefined ? [] : [`maxLength=${maxLength}`]),
  ];
}

function wrong(what: string, value: string, fix: string): TenbinError {
  return new TenbinError('usage', { what, value, fix });
}
