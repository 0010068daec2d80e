import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bindSource, sources } from '../../tasks/sources/index.js';
import { collect } from './collect.js';

const manifest: { readonly devDependencies: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync('package.json', 'utf8'),
);

describe('what the plug-ins say in advance', () => {
  it('holds for the packages: versions as in package.json', () => {
    for (const { name, version } of sources.plugins.flatMap((plugin) => plugin.needs())) {
      expect([name, manifest.devDependencies[name]]).toEqual([name, version]);
    }
  });

  it('holds for the packages: all locales with keywords, and no other', () => {
    const folder = 'node_modules/emojibase-data';
    const withKeywords = readdirSync(folder)
      .filter((locale) => existsSync(`${folder}/${locale}/data.json`))
      .filter((locale) => readFileSync(`${folder}/${locale}/data.json`, 'utf8').includes('"tags":'));
    expect(sources.get('emoji').members()).toEqual(withKeywords.sort());
    const foreign = withKeywords.filter((locale) => locale !== 'en' && locale !== 'en-gb');
    expect(sources.get('emojix').members()).toEqual(foreign);
  });

  it('holds for the packages: all languages of the compiler', () => {
    const folder = 'node_modules/typescript/lib';
    const locales = readdirSync(folder).filter((name) =>
      existsSync(`${folder}/${name}/diagnosticMessages.generated.json`),
    );
    expect(sources.get('tsdiag').members()).toEqual(locales.sort());
  });
});

describe('npm:cwe', () => {
  const cwe = bindSource('npm:cwe');

  it('grades the weaknesses that a case is listed under 2, and their parents 1', async () => {
    const qrels = (await collect(cwe.qrels())).filter(({ query }) => query === 'CVE-2021-25926');
    expect(qrels.map(({ doc, grade }) => [doc, grade])).toEqual([
      ['CWE-79', '2'],
      ['CWE-74', '1'],
    ]);
  });

  it('has name and description of a weakness, without its markup', async () => {
    const xss = (await collect(cwe.docs())).find(({ id }) => id === 'CWE-79');
    expect(xss?.title).toBe("Improper Neutralization of Input During Web Page Generation ('Cross-site Scripting')");
    expect(xss?.text).toMatch(
      /^The product does not neutralize .*\nCross-site scripting \(XSS\) vulnerabilities occur when:/,
    );
    expect(xss?.text).not.toMatch(/xhtml|<|\s\s/);
  });

  it('takes the numbers of weaknesses out of the queries, and what stood around them', async () => {
    const texts = new Map((await collect(cwe.queries())).map(({ id, text }) => [id, text]));
    expect([...texts.values()].filter((text) => /CWE-?\d|\(\s*[,)]|\s{2}/.test(text))).toEqual([]);
    expect(texts.get('CVE-2021-37147')).toBe(
      'Chain: caching proxy server has improper input validation of headers, allowing HTTP response smuggling using an "LF line ending"',
    );
    expect(texts.get('CVE-2007-4580')).toBe(
      'Buffer underflow from a small size value with a large buffer (length parameter inconsistency)',
    );
  });
});

describe('npm:jsfn', () => {
  it.each(sources.get('jsfn').members())(
    '%s has sources without comments and descriptions without markup',
    async (name) => {
      const source = bindSource(`npm:jsfn-${name}`);
      for (const { text } of await collect(source.docs())) expect(text).not.toMatch(/\/\*|(^|\s)\/\/ |^export|^\s*$/m);
      for (const { text } of await collect(source.queries())) expect(text).not.toMatch(/@link|https?:|\]\(|^\W*$|^@/);
    },
  );

  it('pairs a description with its function', async () => {
    const rxjs = bindSource('npm:jsfn-rxjs');
    const query = (await collect(rxjs.queries())).find(({ id }) => id === 'combineLatest');
    expect(query?.text).toMatch(/^Combines multiple Observables to create an Observable/);
    const doc = (await collect(rxjs.docs())).find(({ id }) => id === 'combineLatest');
    expect(doc?.text).toMatch(/^function combineLatest\(\.\.\.args\) \{/);
  });

  it('gives functions of one description each other’s sources', async () => {
    const qrels = await collect(bindSource('npm:jsfn-ramda').qrels());
    const shared = qrels.filter(({ query }) => query === 'reduce').map(({ doc }) => doc);
    expect(shared).toEqual(['reduce', 'reduceRight']);
  });
});

describe('npm:emoji and npm:emojix', () => {
  it('have keywords that 2 to 30 emoji carry', async () => {
    const carriers = new Map<string, number>();
    for await (const { query } of bindSource('npm:emoji-ja').qrels()) {
      carriers.set(query, (carriers.get(query) ?? 0) + 1);
    }
    expect(Math.min(...carriers.values())).toBe(2);
    expect(Math.max(...carriers.values())).toBeLessThanOrEqual(30);
  });

  it('ask in one language and answer in English', async () => {
    const source = bindSource('npm:emojix-fi');
    expect(source.facts).toMatchObject({ language: 'fi', documentLanguage: 'en' });
    const query = (await collect(source.queries())).find(({ id }) => id === '1F98A');
    const doc = (await collect(source.docs())).find(({ id }) => id === '1F98A');
    expect([query?.text, doc?.title, doc?.text]).toEqual(['kettu', 'fox', 'animal, face']);
  });
});

describe('npm:tsdiag', () => {
  it('has messages by their code', async () => {
    const source = bindSource('npm:tsdiag-de');
    const query = (await collect(source.queries())).find(({ id }) => id === 'TS2322');
    const doc = (await collect(source.docs())).find(({ id }) => id === 'TS2322');
    expect(query?.text).toBe('Der Typ "{0}" kann dem Typ "{1}" nicht zugewiesen werden.');
    expect(doc?.text).toBe("Type '{0}' is not assignable to type '{1}'.");
  });
});
