import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../core/canonical.js';
import { llmReranker, readLlmModel } from '../../runners/backends/llm/index.js';
import { checkSettings } from '../../runners/backends/llm/settings.js';
import { schedules } from '../../runners/schedules/index.js';

const environment = { OPENAI_BASE_URL: 'http://127.0.0.1:8000/v1' };

describe('llm:MODEL@PARAMETERS', () => {
  it('has defaults', () => {
    const { settings, id } = readLlmModel('gpt-4o-mini');
    expect(id).toBe('llm:gpt-4o-mini');
    expect(settings).toMatchObject({
      model: 'gpt-4o-mini',
      topK: 10,
      maxDocumentCharacters: 2000,
      seed: 42,
    });
    expect(settings.schedule.id).toBe('setwise.heapsort');
  });

  it.each([
    ['m@schedule=setwise.heapsort', 'llm:m'],
    ['m@children=3', 'llm:m@children=3'],
    ['m@window=20,step=5,schedule=listwise.generation', 'llm:m@schedule=listwise.generation,step=5'],
    ['Qwen/Qwen3-8B@seed=7,top=20', 'llm:Qwen/Qwen3-8B@top=20,seed=7'],
    ['llama3:8b@schedule=pointwise.yes_no,characters=500', 'llm:llama3:8b@schedule=pointwise.yes_no,characters=500'],
    ['m@schedule=setwise.bubblesort,children=2,top=10', 'llm:m@schedule=setwise.bubblesort'],
  ])('%s is %s, which reads back to itself', (rest, id) => {
    expect(readLlmModel(rest).id).toBe(id);
    expect(readLlmModel(id.slice('llm:'.length)).id).toBe(id);
  });

  it.each([
    ['m@schedule=setwise.heapsrt', /Did you mean `setwise\.heapsort`/],
    ['m@window=20', /setwise\.heapsort has no such parameter: window=20/],
    ['m@schedule=pointwise.yes_no,children=3', /takes no argument/],
    ['m@schedule=listwise.generation,window=5,step=5', /do not overlap/],
    ['m@top=0', /out of range/],
    ['m@top=1.5', /topK is a whole number/],
    ['m@top=3,top=4', /twice/],
    ['m@', /no such parameter/],
    ['', /1 to 200 characters/],
    ['a b', /1 to 200 characters/],
    ['a>b', /1 to 200 characters/],
    ['x'.repeat(201), /1 to 200 characters/],
    ['a\u202eb', /1 to 200 characters/],
  ])('%s is refused', (rest, message) => {
    expect(() => readLlmModel(rest)).toThrow(message);
  });
});

describe('the model', () => {
  it('needs no key until it is opened, and ranks lists unless it scores passages', () => {
    expect(llmReranker('m', { environment }).ranksLists).toBe(true);
    expect(llmReranker('m@schedule=pointwise.yes_no', { environment })).not.toHaveProperty('ranksLists');
    expect(llmReranker('m', { environment: {} })).toMatchObject({
      kind: 'pretrained',
      family: 'reranker',
      id: 'llm:m',
    });
  });

  it('is another one for every parameter and address that changes an order', () => {
    const identity = (rest: string, at = environment.OPENAI_BASE_URL) =>
      canonicalJson(llmReranker(rest, { environment: { OPENAI_BASE_URL: at } }).identity);
    const others = [
      identity('n'),
      identity('m', 'http://127.0.0.1:8001/v1'),
      identity('m@children=3'),
      identity('m@top=11'),
      identity('m@seed=1'),
      identity('m@characters=100'),
      identity('m@schedule=setwise.bubblesort'),
    ];
    expect(new Set([identity('m'), ...others]).size).toBe(8);
    expect(identity('m@children=2')).toBe(identity('m'));
  });
});

describe('settings', () => {
  const good = {
    model: 'm',
    schedule: schedules.bind('setwise.heapsort'),
    maxDocumentCharacters: 1,
  } as const;

  it.each([
    [{ model: '' }, /name of a model/],
    [{ model: 'a\nb' }, /name of a model/],
    [{ topK: 0 }, /topK/],
    [{ maxDocumentCharacters: 0 }, /maxDocumentCharacters/],
    [{ maxDocumentCharacters: Number.NaN }, /maxDocumentCharacters/],
    [{ seed: -1 }, /seed/],
    [{ width: 0 }, /width/],
  ])('%j are refused', (wrong, message) => {
    expect(() => checkSettings({ ...good, ...wrong })).toThrow(message);
  });

  it('at their bounds are taken', () => {
    expect(checkSettings({ ...good, topK: 1, seed: 0, width: 1 })).toMatchObject({ topK: 1, seed: 0, width: 1 });
  });
});
