import { describe, expect, it } from 'vitest';
import { bindSource, embeddedSpecs, sources } from '../../tasks/sources/index.js';
import { embeddedSuites, taskGroups, taskSpecs } from '../../tasks/specs/index.js';

describe('embedded tasks', () => {
  it('are one for each embedded source, with one name each', () => {
    expect(taskSpecs.map(({ source }) => source).sort()).toEqual([...embeddedSpecs()].sort());
    expect(new Set(taskSpecs.map(({ id }) => id)).size).toBe(taskSpecs.length);
  });

  it('say what their source says', () => {
    for (const { source, language, documentLanguage, domain, licence } of taskSpecs) {
      expect(bindSource(source).facts).toMatchObject({ language, domain, licence });
      expect(bindSource(source).facts.documentLanguage).toBe(documentLanguage);
    }
  });

  it('stand in four suites', () => {
    const sizes = embeddedSuites.map((suite) => [suite, taskSpecs.filter((task) => task.suite === suite).length]);
    expect(sizes).toEqual([
      ['embedded-en', 3],
      ['embedded-code', 5],
      ['embedded-multilingual', 26],
      ['embedded-crosslingual', 39],
    ]);
    for (const { id, suite } of taskSpecs) expect(id.startsWith(`${suite}/`)).toBe(true);
  });
});

describe('groups', () => {
  it('hold known tasks only', () => {
    const ids = new Set<string>(taskSpecs.map(({ id }) => id));
    for (const members of taskGroups.values()) expect(members.filter((id) => !ids.has(id))).toEqual([]);
    expect(taskGroups.get('embedded')).toHaveLength(taskSpecs.length);
  });

  it('demo: at least 20 tasks, of every kind of source', () => {
    const demo = new Set(taskGroups.get('demo'));
    expect(demo.size).toBeGreaterThanOrEqual(20);
    const specs = taskSpecs.filter(({ id }) => demo.has(id)).map(({ source }) => source);
    for (const { name, scheme } of sources.plugins.filter((plugin) => plugin.scheme === 'npm')) {
      expect([name, specs.some((spec) => new RegExp(`^${scheme}:${name}(-|$)`).test(spec))]).toEqual([name, true]);
    }
  });
});
