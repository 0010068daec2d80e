import { printable, TenbinError } from '../../core/errors.js';
import { nearest, unknownName } from '../../core/suggest.js';
import type { SourcePlugin } from './plugin.js';

export interface ParsedSpec {
  readonly plugin: SourcePlugin;
  readonly argument: string | undefined;
}

/** The plug-in and argument of a SPEC: `npm:name`, `npm:name-argument`, or `name:path`. */
export function parseSpec(spec: string, plugins: readonly SourcePlugin[]): ParsedSpec {
  const colon = spec.indexOf(':');
  if (colon < 0) throw withoutScheme(spec, plugins);
  const [scheme, rest] = [spec.slice(0, colon), spec.slice(colon + 1)];
  const parsed = scheme === 'npm' ? npmSpec(rest, plugins) : pathSpec(scheme, rest, plugins);
  if (parsed !== undefined) return parsed;
  const known = scheme === 'npm' ? npmSpecs(plugins) : plugins.filter(byPath).map(({ name }) => `${name}:`);
  throw unknownName('source', scheme === 'npm' ? spec : `${scheme}:`, known, 'tenbin sources');
}

/** Every SPEC of the embedded sources. */
export function npmSpecs(plugins: readonly SourcePlugin[]): readonly string[] {
  return plugins
    .filter(({ scheme }) => scheme === 'npm')
    .flatMap(({ name, members }) => {
      const known = members();
      return known.length === 0 ? [`npm:${name}`] : known.map((member) => `npm:${name}-${member}`);
    });
}

/** `emojix-zh-hant`: the longest name that is all of it or ends at a dash; the rest is the argument. */
function npmSpec(text: string, plugins: readonly SourcePlugin[]): ParsedSpec | undefined {
  const [plugin] = plugins
    .filter(({ scheme, name }) => scheme === 'npm' && (text === name || text.startsWith(`${name}-`)))
    .sort((a, b) => b.name.length - a.name.length);
  if (plugin === undefined) return undefined;
  return { plugin, argument: text === plugin.name ? undefined : text.slice(plugin.name.length + 1) };
}

function pathSpec(name: string, path: string, plugins: readonly SourcePlugin[]): ParsedSpec | undefined {
  const plugin = plugins.find((other) => byPath(other) && other.name === name);
  return plugin === undefined ? undefined : { plugin, argument: path };
}

function withoutScheme(spec: string, plugins: readonly SourcePlugin[]): TenbinError {
  const near = nearest(`npm:${spec}`, npmSpecs(plugins));
  const folders = plugins.filter(byPath).map(({ name }) => `\`${name}:${printable(spec)}\``);
  return new TenbinError('unknown-name', {
    what: 'A source is written KIND:NAME',
    value: spec,
    fix: near === undefined ? `For a folder write ${folders.join(' or ')}.` : `Did you mean \`${near}\`?`,
  });
}

const byPath = ({ scheme }: SourcePlugin): boolean => scheme === 'path';
