/** Types of the package, which ships none: the part that is used. */
declare module 'wink-bm25-text-search' {
  interface Engine {
    readonly defineConfig: (config: {
      readonly fldWeights: Readonly<Record<string, number>>;
      readonly bm25Params: { readonly k1: number; readonly b: number; readonly k: number };
    }) => boolean;
    readonly definePrepTasks: (tasks: readonly ((text: string) => readonly string[])[]) => number;
    readonly addDoc: (doc: Readonly<Record<string, string>>, id: number) => number;
    readonly consolidate: (decimals: number) => boolean;
    /** Pairs of id and score, best first; ids come back as text. */
    readonly search: (text: string, limit: number) => readonly (readonly [id: string, score: number])[];
    /** By term, its number. */
    readonly getTokens: () => Readonly<Record<string, number>>;
    /** By document id, the weight of each term number. */
    readonly getDocs: () => Readonly<Record<string, { readonly freq: Readonly<Record<string, number>> }>>;
  }
  function bm25(): Engine;
  export = bm25;
}
