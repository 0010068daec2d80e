import { z } from 'zod';
import { unknownName } from '../../core/suggest.js';
import type { SourceDoc, SourceFacts, SourceQrel } from '../types.js';
import { type Collection, npmSource } from './npm-source.js';
import { readPackageJson } from './package-files.js';
import { type InstalledPackage, need } from './packages.js';
import type { SourcePlugin } from './plugin.js';

const facts: SourceFacts = {
  title: 'CWE: descriptions of real vulnerabilities → weaknesses',
  licence: 'Apache-2.0 AND LicenseRef-CWE-Terms-of-Use',
  attribution:
    'Common Weakness Enumeration (CWE) 4.15, copyright 2006–2024 The MITRE Corporation, reproduced under the CWE Terms of Use (https://cwe.mitre.org/about/termsofuse.html); read from cwe-sdk by Liran Tal (Apache-2.0).',
  citation: 'The MITRE Corporation. Common Weakness Enumeration (CWE), version 4.15. https://cwe.mitre.org, 2024.',
  language: 'en',
  domain: 'security',
};

export const cwe: SourcePlugin = {
  name: 'cwe',
  summary:
    'Descriptions of real vulnerabilities → the weaknesses that MITRE lists them under (2) and their parents (1).',
  scheme: 'npm',
  form: 'npm:cwe',
  members: () => [],
  needs: () => [need('cwe-sdk')],
  bind: (argument) => {
    if (argument !== undefined) throw unknownName('source', `npm:cwe-${argument}`, ['npm:cwe'], 'tenbin sources');
    return npmSource({ id: 'npm:cwe', facts, packages: ['cwe-sdk'], load: ([sdk]) => load(sdk) });
  },
};

// The package was made from XML: a list of one is not a list there.
const oneOrMore = <T>(item: z.ZodType<T>) => z.union([z.array(item), item.transform((one) => [one])]);
const schema = z.record(
  z.string(),
  z.object({
    Description: z.string(),
    Extended_Description: z.unknown().optional(),
    attr: z.object({ '@_Name': z.string() }),
    Related_Weaknesses: z
      .object({
        Related_Weakness: oneOrMore(z.object({ attr: z.object({ '@_Nature': z.string(), '@_CWE_ID': z.string() }) })),
      })
      .optional(),
    Observed_Examples: z
      .object({ Observed_Example: oneOrMore(z.object({ Reference: z.string(), Description: z.string() })) })
      .optional(),
  }),
);
type Dictionary = z.infer<typeof schema>;
interface Example {
  readonly id: string;
  readonly text: string;
  readonly listedUnder: Set<string>;
}

const path = 'raw/cwe-dictionary.json';
const at = (weakness: string): string => `cwe-sdk/${path}#${weakness}`;

function load(sdk: InstalledPackage): Collection {
  const dictionary = new Map(Object.entries(readPackageJson(sdk, path, schema)));
  const examples = examplesOf(dictionary);
  const parents = new Map([...dictionary].map(([id, weakness]) => [id, parentsOf(weakness, dictionary)]));
  return {
    docs: [...dictionary].map(([id, weakness]) => docOf(id, weakness)),
    queries: examples.map(({ id, text }) => ({ id, text: withoutNumbers(text), at: at(id) })),
    qrels: examples.flatMap((example) => qrelsOf(example, parents)),
  };
}

function docOf(id: string, weakness: Dictionary[string]): SourceDoc {
  const text = [weakness.Description, ...leaves(weakness.Extended_Description)].map(oneLine).join('\n');
  return { id: `CWE-${id}`, title: weakness.attr['@_Name'], text, at: at(id) };
}

/** Examples that read the same are one query, named after the first case (mostly a CVE) that is described so. */
function examplesOf(dictionary: ReadonlyMap<string, Dictionary[string]>): readonly Example[] {
  const byText = new Map<string, Example>();
  const timesUsed = new Map<string, number>();
  for (const [weakness, { Observed_Examples }] of dictionary) {
    for (const { Reference, Description } of Observed_Examples?.Observed_Example ?? []) {
      const text = oneLine(Description);
      const known = byText.get(text);
      known?.listedUnder.add(weakness);
      if (known !== undefined) continue;
      const reference = Reference.replace(/^\[|\]$/g, '');
      const times = (timesUsed.get(reference) ?? 0) + 1;
      timesUsed.set(reference, times);
      const id = times === 1 ? reference : `${reference}#${times}`;
      byText.set(text, { id, text, listedUnder: new Set([weakness]) });
    }
  }
  return [...byText.values()];
}

function parentsOf(weakness: Dictionary[string], known: ReadonlyMap<string, unknown>): readonly string[] {
  const related = weakness.Related_Weaknesses?.Related_Weakness ?? [];
  return related
    .filter(({ attr }) => attr['@_Nature'] === 'ChildOf' && known.has(attr['@_CWE_ID']))
    .map(({ attr }) => attr['@_CWE_ID']);
}

function qrelsOf(example: Example, parents: ReadonlyMap<string, readonly string[]>): SourceQrel[] {
  const listed = [...example.listedUnder];
  const above = new Set(listed.flatMap((id) => parents.get(id) ?? []).filter((id) => !example.listedUnder.has(id)));
  const qrel = (grade: string) => (id: string) => ({ query: example.id, doc: `CWE-${id}`, grade, at: at(id) });
  return [...listed.map(qrel('2')), ...[...above].map(qrel('1'))];
}

/** Takes out mentions such as `(CWE-123)`, which would give the answer away to any lexical system. */
function withoutNumbers(text: string): string {
  return text
    .replace(/[,\s]*\bCWE-\d+\b/g, '')
    .replace(/\s*\(\s*[,;]*\s*\)/g, '')
    .replace(/\(\s*[,;]\s*/g, '(')
    .trim();
}

/** The texts of a piece of converted XML; the dictionary keeps paragraphs and lists apart, so their order is lost. */
function leaves(node: unknown): readonly string[] {
  if (typeof node === 'string') return [node];
  if (node === null || typeof node !== 'object') return [];
  return Object.entries(node).flatMap(([key, value]) => (key === 'attr' ? [] : leaves(value)));
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
