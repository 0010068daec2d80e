import picomatch from 'picomatch';
import { TenbinError } from '../core/errors.js';
import { nearest } from '../core/suggest.js';

/** What selectors look at. */
export interface Selectable {
  readonly id: string;
  readonly suite: string;
  readonly language: string;
  readonly domain: string;
}

/** Named groups: name → task ids. */
export type TaskGroups = ReadonlyMap<string, readonly string[]>;

/**
 * The known tasks that some selectors name, in the order of `known`. A selector is a task id, a suite, a group, a glob
 * over suites, task names and ids (`xquad-*`, `*\/cwe`), `language:ja` (which takes `ja-jp` too) or `domain:code`.
 * Several are a union; what `!selector` names is taken away at the end. With none that adds, all tasks are meant.
 * One that names nothing is an error, in both directions: it is a slip of the pen.
 */
export function selectTasks<T extends Selectable>(
  selectors: readonly string[],
  known: readonly T[],
  groups: TaskGroups = new Map(),
): T[] {
  const without = selectors.filter((selector) => selector.startsWith('!'));
  const chosen = selectors.filter((selector) => !selector.startsWith('!'));
  const matchers = chosen.map((selector) => matcherOf(selector, known, groups));
  const exceptions = without.map((selector) => matcherOf(selector.slice(1), known, groups));
  return known.filter(
    (task) =>
      (matchers.length === 0 || matchers.some((matches) => matches(task))) &&
      !exceptions.some((matches) => matches(task)),
  );
}

type Matches = (task: Selectable) => boolean;

function matcherOf(selector: string, known: readonly Selectable[], groups: TaskGroups): Matches {
  const matches = keyMatcher(selector) ?? globMatcher(selector) ?? nameMatcher(selector, groups);
  if (known.some(matches)) return matches;
  throw nothingMatches(selector, known, groups);
}

function keyMatcher(selector: string): Matches | undefined {
  const [, key, value = ''] = /^(language|domain):(.*)$/s.exec(selector) ?? [];
  if (key === 'language') return (task) => isInLanguage(task.language, value);
  return key === 'domain' ? (task) => task.domain === value : undefined;
}

/** Basic filtering of RFC 4647: a range matches its own tag and all that go on after a dash; case does not count. */
function isInLanguage(tag: string, range: string): boolean {
  const [lower, wanted] = [tag.toLowerCase(), range.toLowerCase()];
  return lower === wanted || lower.startsWith(`${wanted}-`);
}

function globMatcher(glob: string): Matches | undefined {
  if (!isGlob(glob)) return undefined;
  const matches = picomatch(glob, { nonegate: true, dot: true });
  return ({ id, suite }) => matches(id) || matches(suite) || matches(nameOf(id));
}

function nameMatcher(name: string, groups: TaskGroups): Matches {
  const members = new Set(groups.get(name));
  return ({ id, suite }) => id === name || suite === name || members.has(id);
}

function nothingMatches(selector: string, known: readonly Selectable[], groups: TaskGroups): TenbinError {
  const near = meant(selector, known, groups);
  return new TenbinError('unknown-name', {
    what: 'No known task is named by the selector',
    value: `\`${selector}\``,
    fix: `${near === undefined ? '' : `Did you mean \`${near}\`? `}\`tenbin tasks\` lists all.`,
  });
}

/** The nearest selector that names something; of a task's name alone, its whole id. */
function meant(selector: string, known: readonly Selectable[], groups: TaskGroups): string | undefined {
  const idOf = new Map(known.map(({ id }) => [nameOf(id), id]));
  const spellings = known.flatMap(({ id, suite, language, domain }) => {
    return [suite, id, `language:${language}`, `domain:${domain}`];
  });
  const nearName = nearest(selector, [...idOf.keys()]);
  return idOf.get(selector) ?? nearest(selector, [...groups.keys(), ...new Set(spellings)]) ?? idOf.get(nearName ?? '');
}

// Ids hold letters, digits, dots, dashes and underscores only, so any of these makes a pattern.
const isGlob = (selector: string): boolean => /[*?[\]{}()]/.test(selector);

const nameOf = (id: string): string => id.slice(id.indexOf('/') + 1);
