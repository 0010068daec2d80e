import { expect, test } from 'vitest';
import { modelConditions } from '../../runners/model-conditions.js';
import type { Model } from '../../runners/system.js';
import { fakeModel } from '../models/fake-models.js';

const identity = {
  reading: { pooling: 'cls', normalize: true, prompts: { query: 'query: ', document: '' }, skiplist: ['.', ','] },
  dtype: 'fp32',
  graph: null,
};

test('pooling, prompts and files stand in a run, one condition each', () => {
  expect(modelConditions([{ ...fakeModel('dense'), id: 'made', identity }])).toEqual({
    'model.id': 'made',
    'model.reading.pooling': 'cls',
    'model.reading.normalize': true,
    'model.reading.prompts.query': 'query: ',
    'model.reading.prompts.document': '',
    'model.reading.skiplist': '[".",","]',
    'model.dtype': 'fp32',
  });
});

test('of several models the first is model1, and models that need nothing have none', () => {
  const lexical = { kind: 'lexical', id: 'bm25' } as unknown as Model;
  const two = [fakeModel('dense'), lexical, { ...fakeModel('reranker'), id: 'other' }];
  const conditions = modelConditions(two);
  expect(conditions['model1.id']).toBe('fake-dense');
  expect(conditions['model2.id']).toBe('other');
  expect(modelConditions([lexical])).toEqual({});
});
