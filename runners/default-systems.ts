/**
 * What a plain `tenbin run` runs: every built-in model, every variant, and the ways to combine them. Each text is
 * canonical; `tenbin systems` lists them with what they are.
 */
export const defaultSystems: readonly string[] = [
  'bm25',
  'bm25@scoring=robertson',
  'bm25@scoring=bm25+',
  'bm25@scoring=bm25l',
  'bm25@scoring=atire',
  'ql-dirichlet',
  'tf-idf',
  'lsa@256',
  'lsa@256+truncate@128',
  'lsa@256+int8',
  'lsa@256+int8@hakari',
  'lsa@256+binary',
  'lsa@256+int8+rescore@4',
  'lsa@256+binary+rescore@4',
  'lsa@256+truncate@128+int8+rescore@4',
  'rrf(bm25, lsa@256)',
  'hybrid',
  'hybrid > lsa@256@100',
  'hybrid@unforced > lsa@256@100',
  'hybrid@unforced > bm25@100',
  'bm25 > lsa@256@50',
];
