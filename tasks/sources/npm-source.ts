import type { Source, SourceDoc, SourceFacts, SourceQrel, SourceQuery } from '../types.js';
import { type InstalledPackage, type PackageName, requirePackages, revisionOf } from './packages.js';

/** An embedded collection, whole: they are all of a few thousand short texts. */
export interface Collection {
  readonly docs: readonly SourceDoc[];
  readonly queries: readonly SourceQuery[];
  readonly qrels: readonly SourceQrel[];
}

export interface NpmSourceParts {
  readonly id: string;
  readonly facts: SourceFacts;
  readonly packages: readonly PackageName[];
  /** Gets the packages in the order in which they are named. */
  readonly load: (packages: readonly InstalledPackage[]) => Collection;
}

/** A source over installed packages. They are looked for and read when a stream is first read, and then kept. */
export function npmSource({ id, facts, packages, load }: NpmSourceParts): Source {
  const collection = once(() => load(requirePackages(packages)));
  return {
    id,
    facts,
    revision: async () => revisionOf(requirePackages(packages)),
    docs: () => stream(() => collection().docs),
    queries: () => stream(() => collection().queries),
    qrels: () => stream(() => collection().qrels),
  };
}

async function* stream<T>(items: () => readonly T[]): AsyncGenerator<T> {
  yield* items();
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
