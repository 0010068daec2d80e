import { describe, expect, test } from 'vitest';
import { chooseDtype, encoderOf, graphFiles, requiredFiles } from '../../../runners/backends/model-folder/index.js';
import type { ModelCard } from '../../../runners/models/card.js';
import { hubCards } from '../../../runners/models/cards/index.js';
import { cardFrom, denseFiles } from './made-folder.js';

describe('graphFiles', () => {
  test('every name that exporters give', () => {
    const stems = ['', '_fp16', '_int8', '_uint8', '_q4', '_q4f16', '_w8'];
    expect(graphFiles(stems.map((stem) => `onnx/model${stem}.onnx`))).toEqual({
      fp32: 'onnx/model.onnx',
      fp16: 'onnx/model_fp16.onnx',
      int8: 'onnx/model_int8.onnx',
      uint8: 'onnx/model_uint8.onnx',
      q4: 'onnx/model_q4.onnx',
      q4f16: 'onnx/model_q4f16.onnx',
      w8: 'onnx/model_w8.onnx',
    });
  });
  test('model_quantized.onnx is int8 where there is no model_int8.onnx', () => {
    expect(graphFiles(['onnx/model_quantized.onnx'])).toEqual({ int8: 'onnx/model_quantized.onnx' });
    const both = ['onnx/model_quantized.onnx', 'onnx/model_int8.onnx'];
    expect(graphFiles(both)).toEqual({ int8: 'onnx/model_int8.onnx' });
  });
  test('onnx/ comes before the root, which counts too', () => {
    expect(graphFiles(['model.onnx'])).toEqual({ fp32: 'model.onnx' });
    expect(graphFiles(['model.onnx', 'onnx/model.onnx'])).toEqual({ fp32: 'onnx/model.onnx' });
  });
  test('an encoder-decoder takes both halves of a number format', () => {
    const halves = ['onnx/encoder_model.onnx', 'onnx/decoder_model.onnx', 'onnx/decoder_model_fp16.onnx'];
    expect(graphFiles(halves)).toEqual({ fp32: 'onnx/decoder_model.onnx' });
    expect(graphFiles([...halves, 'onnx/encoder_model_fp16.onnx'])).toEqual({
      fp32: 'onnx/decoder_model.onnx',
      fp16: 'onnx/decoder_model_fp16.onnx',
    });
  });
  test('other names are left alone', () => {
    const names = ['onnx/model_O4.onnx', 'onnx/model.onnx_data', 'other/model.onnx', 'onnx/MODEL.onnx', 'onnx/model'];
    expect(graphFiles(names)).toEqual({});
    expect(graphFiles([])).toEqual({});
  });
  test('the encoder belongs to its decoder', () => {
    expect(encoderOf('onnx/decoder_model_q4.onnx')).toBe('onnx/encoder_model_q4.onnx');
    expect(encoderOf('decoder_model.onnx')).toBe('encoder_model.onnx');
    expect(encoderOf('onnx/model.onnx')).toBeNull();
    expect(encoderOf('decoder_model/model.onnx')).toBeNull();
  });
});

describe('chooseDtype', () => {
  const card = (files: ModelCard['files']) => ({ id: 'made', files });
  const fp32 = { fp32: 'onnx/model.onnx' } as const;
  const int8 = { int8: 'onnx/model_int8.onnx' } as const;
  const w8 = { w8: 'onnx/model_w8.onnx' } as const;

  test('fp32 when that file exists, else the only one there', () => {
    expect(chooseDtype(card({ ...int8, ...fp32 }))).toBe('fp32');
    expect(chooseDtype(card(fp32))).toBe('fp32');
    expect(chooseDtype(card(w8))).toBe('w8');
  });
  test('several without fp32 are listed', () => {
    expect(() => chooseDtype(card({ ...w8, ...int8 }))).toThrow('Choose with --dtype: int8, w8.');
    expect(() => chooseDtype(card({ ...w8, ...int8 }))).toThrow(expect.objectContaining({ code: 'usage' }));
  });
  test('the wanted one, and an error that names it where it is not there', () => {
    expect(chooseDtype(card({ ...fp32, ...int8 }), 'int8')).toBe('int8');
    expect(() => chooseDtype(card(fp32), 'q4')).toThrow(/made has no graph .*: q4\. Choose with --dtype: fp32\./);
    expect(() => chooseDtype(card(fp32), 'q4')).toThrow(expect.objectContaining({ code: 'usage' }));
    expect(() => chooseDtype(card(fp32), '__proto__')).toThrow('__proto__');
    expect(() => chooseDtype(card(fp32), '')).toThrow('has no graph');
  });
  test('no graph at all', () => {
    expect(() => chooseDtype(card({}))).toThrow('This model has no ONNX graph: made');
    expect(() => chooseDtype(card({}), 'fp32')).toThrow('This model has no ONNX graph');
  });
  test('the folder is read with the wanted one held against it', async () => {
    expect((await cardFrom(denseFiles, 'fp32')).id).toBe('made');
    await expect(cardFrom(denseFiles, 'int8')).rejects.toThrow('int8');
  });
});

describe('requiredFiles', () => {
  const find = (id: string): ModelCard => {
    const card = hubCards.find((other) => other.id === id);
    if (card === undefined) throw new Error(id);
    return card;
  };
  test('the graph and the tokenizer; weights beside the graph where they are', () => {
    const { required, optional } = requiredFiles(find('bge-m3'), 'fp32');
    expect(required).toEqual(['onnx/model.onnx', 'tokenizer.json']);
    expect(optional).toContain('onnx/model.onnx_data');
    expect(optional).toContain('onnx/model.onnx.data');
    for (const name of ['config.json', 'modules.json', '1_Pooling/config.json']) expect(optional).toContain(name);
    expect(new Set([...required, ...optional]).size).toBe(required.length + optional.length);
  });
  test('only the graph of the chosen number format', () => {
    const { required, optional } = requiredFiles(find('bge-small-en-v1.5'), 'int8');
    expect(required).toEqual(['onnx/model_quantized.onnx', 'tokenizer.json']);
    expect([...required, ...optional].some((name) => name.startsWith('onnx/model.onnx'))).toBe(false);
  });
  test('the table of queries of an inference-free model', () => {
    const { required } = requiredFiles(find('opensearch-neural-sparse-encoding-doc-v2-mini'), 'fp32');
    expect(required).toEqual(['onnx/fp32/model.onnx', 'tokenizer.json', 'idf.json']);
  });
  test('both graphs of an encoder-decoder', () => {
    const card = { ...find('qwen3-reranker-0.6b'), files: { fp32: 'onnx/decoder_model.onnx' } };
    const { required, optional } = requiredFiles(card, 'fp32');
    expect(required).toEqual(['onnx/encoder_model.onnx', 'onnx/decoder_model.onnx', 'tokenizer.json']);
    expect(optional).toContain('onnx/encoder_model.onnx_data');
    expect(optional).toContain('onnx/decoder_model.onnx_data');
  });
  test('a number format without a graph is an error that names it', () => {
    expect(() => requiredFiles(find('bge-m3'), 'q4')).toThrow('bge-m3 has no graph for the number format: q4');
  });
});
