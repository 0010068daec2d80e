import { describe, expect, test } from 'vitest';
import { cardFrom, denseModules, type Files } from './made-folder.js';

const llama = {
  architectures: ['LlamaForCausalLM'],
  model_type: 'llama',
  vocab_size: 50,
  hidden_size: 8,
  num_hidden_layers: 1,
  num_attention_heads: 2,
  intermediate_size: 16,
  max_position_embeddings: 64,
};
const chat = (chat_template: unknown, more: object = {}): Files => ({
  'config.json': llama,
  'tokenizer_config.json': { chat_template, ...more },
  'onnx/model.onnx': 'graph',
});
const templateOf = async (files: Files) => {
  const card = await cardFrom(files);
  return card.family === 'reranker' ? card.template : null;
};

const question = 'Judge whether the Document meets the Query. Answer yes or no.';
const turns = "{% for m in messages %}[{{ m['role'] }}]{{ m['content'] }}{% endfor %}";

describe('yes-no rerankers', () => {
  test('put the question in the form of their chats', async () => {
    expect(await cardFrom(chat(turns))).toMatchObject({
      family: 'reranker',
      method: 'yes-no',
      labels: 1,
      words: { yes: 'yes', no: 'no' },
      template: `[system]${question}[user]<Query>: {query}\n<Document>: {document}`,
      maxLength: 64,
    });
  });

  test('ask for the beginning of the answer, without thinking, and know their own tokens', async () => {
    const template = `{{ bos_token }}${turns}{% if add_generation_prompt %}[answer]{% endif %}{% if not enable_thinking %}[no thoughts]{% endif %}`;
    const rendered = await templateOf(chat(template, { bos_token: { content: '<s>' } }));
    expect(rendered).toMatch(/^<s>\[system\]/);
    expect(rendered).toMatch(/\[answer\]\[no thoughts\]$/);
  });

  test('without a place for a system message it goes to the user', async () => {
    const strict = `{% if messages[0]['role'] == 'system' %}{{ raise_exception('no system') }}{% endif %}${turns}`;
    expect(await templateOf(chat(strict))).toBe(`[user]${question}\n<Query>: {query}\n<Document>: {document}`);
  });

  test('the default one of several templates is taken, and a file of its own comes first', async () => {
    const several = [
      { name: 'tools', template: 'x' },
      { name: 'default', template: turns },
    ];
    expect(await templateOf(chat(several))).toContain('[system]');
    const apart = { ...chat('wrong'), 'chat_template.jinja': turns };
    expect(await templateOf(apart)).toContain('[system]');
  });

  test.each([
    ['none', chat(undefined), 'template (not said; tokenizer_config.json, chat_template.jinja)'],
    ['none with that name', chat([{ name: 'tools', template: 'x' }]), 'template (not said'],
    ['not a template', chat('{% for %}'), 'does not take a system and a user message'],
    ['one that loses the text', chat('hello'), 'changes what is put into it'],
    ['one that says it twice', chat(`${turns}${turns}`), 'changes what is put into it'],
    ['one that counts to a billion', chat('{% for i in range(1000000000) %}x{% endfor %}'), 'does not take'],
    [
      'one that counts to a million in two loops',
      chat('{% for i in range(999) %}{% for j in range(999) %}{% endfor %}{% endfor %}'),
      'does not take',
    ],
    ['one that is too long', chat('x'.repeat(100_001)), 'the chat template is too long'],
  ])('%s is asked for', async (_, files, reason) => {
    await expect(cardFrom(files)).rejects.toThrow(reason);
  });

  test('tenbin.json gives the template and the words', async () => {
    const own = { template: 'Q {query} D {document} A', words: { yes: 'true', no: 'false' } };
    expect(await cardFrom({ ...chat(undefined), 'tenbin.json': own })).toMatchObject(own);
  });

  test('an untied head counts, and is active; a tied one is the table', async () => {
    const body = 8 * 8 * 4 + 3 * 8 * 16 + 2 * 8 + 8;
    expect((await cardFrom(chat(turns))).parameters).toEqual({
      total: 2 * 400 + body,
      active: 400 + body,
      embedding: 400,
    });
    const tied = { ...chat(turns), 'config.json': { ...llama, tie_word_embeddings: true } };
    expect((await cardFrom(tied)).parameters).toEqual({ total: 400 + body, active: 400 + body, embedding: 400 });
  });
});

test('a decoder with a Pooling module is a dense model, and its head is not counted', async () => {
  const card = await cardFrom({
    ...chat(turns),
    'modules.json': denseModules,
    '1_Pooling/config.json': { word_embedding_dimension: 8, pooling_mode_lasttoken: true },
  });
  expect(card).toMatchObject({ family: 'dense', pooling: 'last-token' });
  expect(card.parameters?.total).toBe(400 + 8 * 8 * 4 + 3 * 8 * 16 + 2 * 8 + 8);
});

describe('encoder-decoders', () => {
  const t5 = {
    architectures: ['T5ForConditionalGeneration'],
    model_type: 't5',
    vocab_size: 50,
    d_model: 8,
    d_kv: 4,
    d_ff: 16,
    num_layers: 1,
    num_heads: 2,
    feed_forward_proj: 'relu',
  };
  const files = {
    'config.json': t5,
    'tokenizer_config.json': { model_max_length: 512 },
    'onnx/encoder_model.onnx': 'graph',
    'onnx/decoder_model.onnx': 'graph',
  };

  test('score by the likelihood of the query, and name the decoder', async () => {
    const card = await cardFrom(files);
    expect(card).toMatchObject({
      method: 'query-likelihood',
      words: null,
      files: { fp32: 'onnx/decoder_model.onnx' },
      architecture: { kind: 'encoder-decoder', layers: 1, decoderLayers: 1, gated: false },
    });
    const attention = 4 * 8 * 8 + 8;
    const dense = 2 * 8 * 16 + 8;
    expect(card.parameters?.total).toBe(400 + attention + dense + 2 * attention + dense + 2 * (32 * 2 + 8));
    if (card.family === 'reranker') expect(card.template).toMatch(/\{document\}[\s\S]*\{query\}$/);
  });

  test('a decoder without its encoder is no graph', async () => {
    const { 'onnx/encoder_model.onnx': _, ...half } = files;
    expect((await cardFrom(half)).files).toEqual({});
  });
});
