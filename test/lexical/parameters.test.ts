import { describe, expect, it } from 'vitest';
import { models } from '../../runners/models/index.js';

describe('lexical models', () => {
  it.each([
    ['bm25', 'bm25'],
    ['bm25@k1=1.2,b=0.75', 'bm25'],
    ['bm25@b=0.40,k1=0.9', 'bm25@k1=0.9,b=0.4'],
    ['bm25@scoring=lucene', 'bm25'],
    ['bm25@k1=2,scoring=bm25+', 'bm25@scoring=bm25+,k1=2'],
    ['bm25@scoring=bm25+,delta=1', 'bm25@scoring=bm25+'],
    ['bm25@delta=1,scoring=bm25l', 'bm25@scoring=bm25l,delta=1'],
    ['bm25@scoring=bm25l,delta=0.5', 'bm25@scoring=bm25l'],
    ['ql-dirichlet@mu=2000', 'ql-dirichlet'],
    ['ql-dirichlet@mu=1500', 'ql-dirichlet@mu=1500'],
    ['tf-idf', 'tf-idf'],
  ])('%s is %s, and stays so', (text, id) => {
    expect(models.bind(text).id).toBe(id);
    expect(models.bind(id).id).toBe(id);
  });

  it.each([
    ['bm25@k2=1', 'Did you mean `k1`?'],
    ['bm25@scorng=atire', 'Did you mean `scoring`?'],
    ['bm25@scoring=lucen', 'Did you mean `lucene`?'],
    ['bm25@k1', 'no such parameter'],
    ['bm25@', 'no such parameter'],
    ['bm25@constructor=1', 'no such parameter'],
    ['bm25@k1=-1', 'from 0 to 1000'],
    ['bm25@k1=1e9', 'from 0 to 1000'],
    ['bm25@k1=', 'from 0 to 1000'],
    ['bm25@b=1.5', 'from 0 to 1'],
    ['bm25@b=0.5,b=0.6', 'twice'],
    ['bm25@delta=1', 'has no delta'],
    ['ql-dirichlet@mu=0', 'from 0.001 to'],
    ['tf-idf@x=1', 'analyzer=segmenter@ja'],
  ])('%s is refused', (text, reason) => {
    expect(() => models.bind(text)).toThrow(reason);
  });
});
