import { TenbinError } from '../core/errors.js';
import { unknownName } from '../core/suggest.js';
import { defaultRrfK, parseSystem } from '../runners/grammar.js';
import { type ModelCatalog, unresolved } from '../runners/models/catalog.js';
import type { Leniency } from './read-policy.js';
import { samplers } from './samplers/index.js';

export const safeguardPolicies = ['append', 'replace', 'none'] as const;
/** What happens to a query whose pool holds no positive: one is appended, or takes the last place, or nothing. */
export type SafeguardPolicy = (typeof safeguardPolicies)[number];

/** Every flag of `tenbin build` that changes bytes. */
export interface BuildOptions {
  readonly queries: number;
  readonly docs: number;
  readonly seed: number;
  readonly sampler: string;
  /** Rows of the `bm25` and `dense` pools. */
  readonly depth: number;
  readonly rrfK: number;
  /** Rows of the `hybrid` pool, safeguard rows not counted. */
  readonly poolSize: number;
  readonly safeguard: SafeguardPolicy;
  /** The system of the `dense` pool. */
  readonly dense: string;
  /** Stands in for the source's language; null leaves it. */
  readonly language: string | null;
  readonly leniency: Leniency;
}

export const defaultBuildOptions: BuildOptions = {
  queries: 200,
  docs: 10_000,
  seed: 17,
  sampler: 'hash',
  depth: 500,
  rrfK: defaultRrfK,
  poolSize: 100,
  safeguard: 'append',
  dense: 'lsa@256',
  language: null,
  leniency: 'strict',
};

/** Inclusive ranges of the numeric options, for the command line as well. */
export const optionRanges = {
  queries: [1, 1_000_000],
  docs: [1, 100_000_000],
  seed: [0, 2 ** 32 - 1],
  depth: [1, 100_000],
  rrfK: [1, 1_000_000],
  poolSize: [1, 100_000],
} as const;

/** Options with the defaults filled in and every value checked; systems and samplers in their canonical text. */
export function checkOptions(given: Partial<BuildOptions>, catalog: ModelCatalog = unresolved): BuildOptions {
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  const options: BuildOptions = { ...defaultBuildOptions, ...Object.fromEntries(present) };
  for (const [name, [min, max]] of Object.entries(optionRanges)) {
    checkNumber(name, options[name as keyof typeof optionRanges], min, max);
  }
  if (!safeguardPolicies.includes(options.safeguard)) {
    throw unknownName('safeguard', options.safeguard, safeguardPolicies, 'tenbin build --help');
  }
  return {
    ...options,
    sampler: samplers.bind(options.sampler).id,
    dense: denseSystem(options.dense, catalog),
    language: options.language === null ? null : languageCode(options.language),
  };
}

function checkNumber(name: string, value: number, min: number, max: number): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new TenbinError('usage', {
    what: `The option ${name} is a whole number from ${min} to ${max}`,
    value: String(value),
    fix: `When it is not given it is ${defaultBuildOptions[name as keyof BuildOptions]}.`,
  });
}

/** A frozen pool cannot make itself, and a reranker has no list of its own. */
function denseSystem(text: string, catalog: ModelCatalog): string {
  const system = parseSystem(text, catalog);
  if (system.kind === 'model' && system.model.family === 'dense') return system.id;
  throw new TenbinError('usage', {
    what: 'The `dense` pool is made by a dense model, with or without variants',
    value: text,
    fix: `Write for example \`${defaultBuildOptions.dense}\`; \`tenbin systems\` lists more.`,
  });
}

/** The form of a BCP-47 tag, in its usual letter case: `en`, `pt-BR`, `zh-Hant`. */
function languageCode(text: string): string {
  const wrong = () =>
    new TenbinError('usage', {
      what: 'A language is a BCP-47 code',
      value: text,
      fix: 'Write for example `en`, `ja` or `pt-BR`.',
    });
  if (!/^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$/.test(text)) throw wrong();
  try {
    const [canonical] = Intl.getCanonicalLocales(text);
    if (canonical !== undefined) return canonical;
  } catch {
    // Not a well-formed tag.
  }
  throw wrong();
}
