import { describe, expect, test } from 'vitest';
import { headOfConfig } from '../../runners/backends/model-folder/stacks/heads.js';
import { readLayers, stackOf } from '../../runners/backends/model-folder/stacks/index.js';
import { countParameters } from '../../runners/backends/model-folder/stacks/stack.js';
import { config, counted, decoder, mixtral, qwen2Moe, qwen3Moe, read, t5 } from './config-values.js';

describe('layers with a window, by the rule of each family', () => {
  const localAt = (value: object) => read({ ...decoder, ...value }).localAt ?? [];

  test.each([
    ['mistral', {}, [0, 1, 2, 3, 4, 5, 6, 7]],
    ['mistral', { sliding_window: null }, []],
    ['llama', {}, []],
    ['gemma', {}, []],
    ['qwen2', {}, []],
    ['qwen2', { use_sliding_window: true, max_window_layers: 6 }, [6, 7]],
    ['qwen3', { use_sliding_window: true, max_window_layers: 0 }, [0, 1, 2, 3, 4, 5, 6, 7]],
    ['qwen3', { use_sliding_window: true }, []],
    ['gemma2', {}, [0, 2, 4, 6]],
    ['gemma3_text', {}, [0, 1, 2, 3, 4, 6, 7]],
    ['gemma3_text', { sliding_window_pattern: 2 }, [0, 2, 4, 6]],
    ['gemma3_text', { layer_types: ['full_attention', 'sliding_attention'] }, [1]],
  ])('%s %o', (model_type, more, expected) => {
    expect(localAt({ model_type, ...more })).toEqual(expected);
    const { architecture } = read({ ...decoder, model_type, ...more });
    expect(architecture.localLayers ?? 0).toBe(expected.length);
    expect(architecture.window).toBe(expected.length === 0 ? undefined : 16);
  });

  test('ModernBERT: every third from the first on sees all, unless the file lists them', () => {
    expect(localAt({ model_type: 'modernbert' })).toEqual([1, 2, 4, 5, 7]);
    const layer_types = ['sliding_attention', ...Array.from({ length: 7 }, () => 'full_attention')];
    expect(localAt({ model_type: 'modernbert', layer_types })).toEqual([0]);
  });
});

describe('mixtures of experts: all and active weights as published', () => {
  test.each([
    // arXiv 2401.04088, table 1, and the hub's count of its tensors.
    ['Mixtral 8x7B', mixtral, 46_702_792_704, 12.9],
    // Hub's count of Qwen/Qwen3-30B-A3B; its card: 30.5B in total, 3.3B activated, 29.9B without embeddings.
    ['Qwen3-30B-A3B', qwen3Moe, 30_532_122_624, 3.3],
    // Hub's count of Qwen/Qwen1.5-MoE-A2.7B; its card: 14.3B in total, 2.7B activated.
    ['Qwen1.5-MoE-A2.7B', qwen2Moe, 14_315_784_192, 2.7],
  ])('%s', (_, value, total, activeBillions) => {
    const counts = countParameters(counted(value), { kind: 'vocabulary' });
    expect(counts.total).toBe(total);
    // Cards count the input embedding as active, or leave both tables out.
    const { active = 0, embedding = 0 } = counts;
    const ways = [active, active + embedding, active - embedding].map((weights) =>
      Math.abs(weights / 1e9 - activeBillions),
    );
    expect(Math.min(...ways)).toBeLessThan(0.1);
  });

  test('facts of the layers', () => {
    expect(read(mixtral).architecture).toMatchObject({ feedForward: 14_336, experts: 8, activeExperts: 2 });
    expect(read(qwen2Moe).architecture).toMatchObject({
      feedForward: 1408,
      experts: 60,
      activeExperts: 4,
      sharedExperts: 1,
      sharedFeedForward: 5632,
      sharedGate: true,
    });
    expect(read(qwen3Moe).architecture).not.toHaveProperty('denseLayers');
  });

  test('plain layers: every second one, and those that are listed', () => {
    const { architecture, denseAt } = read({
      ...qwen3Moe,
      num_hidden_layers: 6,
      decoder_sparse_step: 2,
      mlp_only_layers: [1],
    });
    expect(denseAt).toEqual([0, 1, 2, 4]);
    expect(architecture).toMatchObject({ denseLayers: 4, denseFeedForward: 6144, feedForward: 768 });
  });
});

/** The hub's counts of tensors; of mT5 those of arXiv 2010.11934 and its table 2. */
describe('other families', () => {
  test.each([
    [
      'flan-t5-large',
      { ...t5, model_type: 't5', feed_forward_proj: 'gated-gelu', tie_word_embeddings: false },
      783_150_080,
    ],
    [
      'mt5-small',
      {
        model_type: 'mt5',
        vocab_size: 250_112,
        d_model: 512,
        d_kv: 64,
        d_ff: 1024,
        num_layers: 8,
        num_heads: 6,
        feed_forward_proj: 'gated-gelu',
        tie_word_embeddings: false,
      },
      300_176_768,
    ],
    [
      'gpt2',
      { model_type: 'gpt2', vocab_size: 50_257, n_embd: 768, n_layer: 12, n_head: 12, n_positions: 1024 },
      124_439_808,
    ],
  ])('%s', (_, value, total) => {
    expect(countParameters(counted(value), { kind: 'vocabulary' }).total).toBe(total);
  });

  test('UMT5 has a table of positions in every layer', () => {
    const weights = (model_type: string) => countParameters(counted({ ...t5, model_type }), { kind: 'none' }).total;
    expect(weights('umt5') - weights('t5')).toBe((2 * 24 - 2) * 32 * 16);
  });

  test('JinaBERT calls itself bert', () => {
    const jina = {
      model_type: 'bert',
      vocab_size: 30_528,
      hidden_size: 768,
      num_hidden_layers: 12,
      num_attention_heads: 12,
      intermediate_size: 3072,
      max_position_embeddings: 8192,
      position_embedding_type: 'alibi',
      feed_forward_type: 'geglu',
    };
    const stack = counted(jina);
    expect(stack.architecture.gated).toBe(true);
    // 137 million in arXiv 2310.19923, table 1.
    expect(Math.round(countParameters(stack, { kind: 'none' }).total / 1e6)).toBe(137);
  });

  test('Gemma 3 with pictures: the language model in it, with what its file leaves out', () => {
    const inner = {
      model_type: 'gemma3_text',
      hidden_size: 2560,
      num_hidden_layers: 34,
      intermediate_size: 10_240,
      sliding_window: 1024,
    };
    const given = { model_type: 'gemma3', text_config: inner, architectures: ['Gemma3ForConditionalGeneration'] };
    expect(read(given).architecture).toMatchObject({
      heads: 8,
      keyValueHeads: 4,
      headSize: 256,
      vocabulary: 262_208,
      localLayers: 29,
    });
    // Its weights are those of the pictures' part too, so a card has none.
    expect(stackOf(config(given))).toBeNull();
  });

  test('Gemma for embeddings sees both ways', () => {
    const given = { ...decoder, model_type: 'gemma3_text' };
    expect(read(given).architecture.kind).toBe('decoder');
    expect(read({ ...given, use_bidirectional_attention: true }).architecture.kind).toBe('encoder');
  });
});

describe('what stands on the layers', () => {
  const head = (name: string, more: object = {}) => headOfConfig(config({ architectures: [name], ...more }), 'encoder');

  test.each([
    ['BertForMaskedLM', { kind: 'masked-language-model' }],
    ['BertModel', { kind: 'none' }],
    ['Qwen3ForCausalLM', { kind: 'language-model', positions: 'last' }],
    ['GPT2LMHeadModel', { kind: 'language-model', positions: 'last' }],
    ['T5ForConditionalGeneration', { kind: 'language-model', positions: 'last' }],
    ['XLMRobertaForSequenceClassification', { kind: 'classifier', labels: 2, dense: true }],
  ])('%s', (name, expected) => {
    expect(head(name)).toEqual(expected);
  });

  test('labels are those that are named, then their number', () => {
    const name = 'BertForSequenceClassification';
    expect(head(name, { id2label: { 0: 'LABEL_0' }, num_labels: 7 })).toMatchObject({ labels: 1 });
    expect(head(name, { num_labels: 7 })).toMatchObject({ labels: 7 });
    const decoders = { architectures: ['Qwen2ForSequenceClassification'], num_labels: 3 };
    expect(headOfConfig(config(decoders), 'decoder')).toEqual({ kind: 'classifier', labels: 3, dense: false });
    expect(() => head(name, { num_labels: 'two' })).toThrow('num_labels');
    expect(headOfConfig(config({}), 'decoder')).toEqual({ kind: 'none' });
  });
});

describe('where nothing less than the layers will do', () => {
  test('a missing field is named, with its file', () => {
    const { hidden_size: _, ...short } = { ...decoder, model_type: 'llama' };
    expect(() => read(short)).toThrow(/`llama`.*`hidden_size`.*config\.json/s);
    expect(() => read({ ...mixtral, num_local_experts: null })).toThrow('num_local_experts');
    const { moe_intermediate_size: __, ...noWidth } = qwen3Moe;
    expect(() => read(noWidth)).toThrow('moe_intermediate_size');
    expect(stackOf(config(noWidth))).toBeNull();
  });

  test('an unknown kind lists those that are known, and suggests the nearest', () => {
    expect(() => read({ model_type: 'mamba' })).toThrow(/`mamba`.*Known are .*bert.*qwen3_moe/s);
    expect(() => read({ model_type: 'qwen3-moe' })).toThrow('Did you mean `qwen3_moe`?');
    expect(() => read({})).toThrow(/says no `model_type`.*Known are bert/s);
    expect(() => read({})).not.toThrow('Did you mean');
    expect(() => read({ model_type: '__proto__' })).toThrow('not known');
  });

  test('a wrong field is named', () => {
    expect(() => read({ ...decoder, model_type: 'llama', head_dim: -1 })).toThrow('head_dim');
    expect(() => readLayers({ name: 'config.json', value: [] })).toThrow('config.json');
  });

  test('the families that are promised', () => {
    const promised = [
      'bert',
      'roberta',
      'xlm-roberta',
      'distilbert',
      'mpnet',
      'modernbert',
      't5',
      'llama',
      'mistral',
      'mixtral',
    ];
    const further = ['qwen2', 'qwen3', 'qwen3_moe', 'gemma', 'gemma2', 'gemma3_text'];
    for (const type of [...promised, ...further])
      expect(() => read({ model_type: type })).toThrow(`\`${type}\` model need`);
  });
});
