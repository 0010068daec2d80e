import { describe, expect, it } from 'vitest';
import { bindSource, type SourcePlugin, sources } from '../../tasks/sources/index.js';
import type { Source } from '../../tasks/types.js';
import { collect } from '../sources/collect.js';

/** The laws that every source keeps, over each registered one: all of the small ones, two members of the families. */
const folders: Readonly<Record<string, string>> = {
  beir: 'test/fixtures/sources/beir',
  trec: 'test/fixtures/sources/trec',
};

function specsOf(plugin: SourcePlugin): readonly string[] {
  if (plugin.scheme === 'path') return [`${plugin.name}:${folders[plugin.name]}`];
  const members = plugin.members();
  if (members.length === 0) return [`npm:${plugin.name}`];
  return [members[0], members.at(-1)].map((member) => `npm:${plugin.name}-${member}`);
}

async function ids(items: AsyncIterable<{ readonly id: string }>): Promise<readonly string[]> {
  return (await collect(items)).map(({ id }) => id);
}

describe.each(sources.plugins.map((plugin) => [plugin.name, plugin] as const))('%s', (name, plugin) => {
  it('says what it is in one line, and how it is written', () => {
    expect(plugin.summary).toMatch(/^\S.{20,200}$/);
    expect(plugin.form.startsWith(plugin.scheme === 'npm' ? `npm:${name}` : `${name}:`)).toBe(true);
  });

  it('names packages with their version, all of them installed here', () => {
    const needs = plugin.needs();
    expect(needs.length > 0).toBe(plugin.scheme === 'npm');
    for (const need of needs) expect(need.installed).toBe(need.version);
    for (const member of plugin.members()) {
      for (const need of plugin.needs(member)) expect(needs).toContainEqual(need);
    }
  });

  it('binds each of its members without opening anything, and refuses another', () => {
    for (const member of plugin.members()) expect(plugin.bind(member).id).toBe(`npm:${name}-${member}`);
    if (plugin.scheme === 'npm') expect(() => plugin.bind('no-such-member')).toThrow(/Unknown source: `npm:/);
    else expect(() => plugin.bind(undefined)).toThrow(/wants a folder/);
  });

  describe.each(specsOf(plugin))('%s', (spec) => {
    const source: Source = bindSource(spec);

    it('has an id without a path, and facts that are all filled in', () => {
      expect(source.id).toMatch(plugin.scheme === 'npm' ? /^npm:[a-z0-9-]+$/ : /^[a-z]+:[^/\\]+$/);
      for (const fact of Object.values(source.facts)) expect(fact).toMatch(/^\S.*$/);
      expect(source.facts.language).toMatch(/^[a-z]{2,3}(-[a-z]{2,8})*$/);
    });

    it('gives the same streams each time, in any order', async () => {
      const qrelsFirst = await collect(source.qrels());
      const [docs, queries] = await Promise.all([collect(source.docs()), collect(source.queries())]);
      const again = bindSource(spec);
      expect(await collect(again.docs())).toEqual(docs);
      expect(await collect(again.queries())).toEqual(queries);
      expect(await collect(source.qrels())).toEqual(qrelsFirst);
      expect(Math.min(docs.length, queries.length, qrelsFirst.length)).toBeGreaterThan(0);
    });

    it('has unique ids that are not empty', async () => {
      for (const items of [await ids(source.docs()), await ids(source.queries())]) {
        expect(new Set(items).size).toBe(items.length);
        expect(items).not.toContain('');
      }
    });

    it('judges each pair once, by a whole number, and only what it holds', async () => {
      const docs = new Set(await ids(source.docs()));
      const queries = new Set(await ids(source.queries()));
      const qrels = await collect(source.qrels());
      for (const { query, doc, grade } of qrels) {
        expect(docs.has(doc) && queries.has(query)).toBe(true);
        expect(grade).toMatch(/^\d+$/);
      }
      expect(new Set(qrels.map(({ query, doc }) => JSON.stringify([query, doc]))).size).toBe(qrels.length);
    });

    it('says where each item is from', async () => {
      for await (const { at } of source.docs()) expect(at).toMatch(/^[^/].*[:#/].+|\.ts$|\.js$/);
    });

    it('has a revision that stays, and that names packages at their version', async () => {
      const revision = await source.revision();
      expect(await bindSource(spec).revision()).toBe(revision);
      const form = plugin.scheme === 'npm' ? /^[a-z-]+@\d+\.\d+\.\d+( [a-z-]+@\d+\.\d+\.\d+)*$/ : /^[0-9a-f]{64}$/;
      expect(revision).toMatch(form);
    });
  });
});
