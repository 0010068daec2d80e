/** Types of the packages that ship none. */
declare module 'wink-porter2-stemmer' {
  /** The Porter2 stem of a lower-case English word. */
  function porter2(word: string): string;
  export = porter2;
}

declare module 'snowball-stemmers' {
  interface Stemmer {
    readonly stem: (word: string) => string;
  }
  const snowball: {
    /** A stemmer of one of `algorithms()`: `french`, `german`, … */
    readonly newStemmer: (algorithm: string) => Stemmer;
    readonly algorithms: () => readonly string[];
  };
  export = snowball;
}

declare module 'stopword' {
  type StopWords = readonly string[];
  export const ara: StopWords;
  export const cat: StopWords;
  export const ces: StopWords;
  export const dan: StopWords;
  export const deu: StopWords;
  export const eng: StopWords;
  export const eus: StopWords;
  export const fin: StopWords;
  export const fra: StopWords;
  export const gle: StopWords;
  export const hun: StopWords;
  export const hye: StopWords;
  export const ita: StopWords;
  export const nld: StopWords;
  export const nob: StopWords;
  export const por: StopWords;
  export const ron: StopWords;
  export const rus: StopWords;
  export const slv: StopWords;
  export const spa: StopWords;
  export const swe: StopWords;
  export const tur: StopWords;
}
