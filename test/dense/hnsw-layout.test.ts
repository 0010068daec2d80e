import { describe, expect, it } from 'vitest';
import { readLinks } from '../../runners/backends/hnsw/layout.js';

const settings = { dims: 2, M: 2, efConstruction: 200, seed: 100 };
const vectors = Float32Array.of(1, 2, 3, 4, 5, 6);
const elementBytes = 20 + 8 + 8;
const groundAt = 96;
const aboveAt = groundAt + 3 * elementBytes;

/** An index of three documents as hnswalg.h lays it out by hand: document 1 is on level 1 and links to nobody there. */
function saved(): Uint8Array {
  const bytes = new Uint8Array(aboveAt + 3 * 4 + 12);
  const view = new DataView(bytes.buffer);
  [0, 3, 3, elementBytes, 28, 20].forEach((size, i) => {
    view.setBigUint64(8 * i, BigInt(size), true);
  });
  view.setInt32(48, 1, true);
  view.setUint32(52, 1, true);
  [2, 4, 2].forEach((size, i) => {
    view.setBigUint64(56 + 8 * i, BigInt(size), true);
  });
  view.setFloat64(80, 1 / Math.log(2), true);
  view.setBigUint64(88, 200n, true);
  const lists = [[1, 2], [0], [1, 0]];
  lists.forEach((list, doc) => {
    const at = groundAt + doc * elementBytes;
    view.setUint16(at, list.length, true);
    list.forEach((target, i) => {
      view.setUint32(at + 4 + 4 * i, target, true);
    });
    view.setFloat32(at + 20, vectors[2 * doc], true);
    view.setFloat32(at + 24, vectors[2 * doc + 1], true);
    view.setBigUint64(at + 28, BigInt(doc), true);
  });
  view.setUint32(aboveAt + 4, 12, true);
  return bytes;
}

function sourceOf(bytes: Uint8Array) {
  let at = 0;
  return {
    size: bytes.length,
    take: (count: number) => {
      if (at + count > bytes.length) return null;
      at += count;
      return bytes.slice(at - count, at);
    },
  };
}

describe('the links in a saved index', () => {
  it('are those of each level', () => {
    expect(readLinks(sourceOf(saved()), vectors, settings)).toEqual({
      docCount: 3,
      entry: 1,
      listsAbove: 1,
      levels: [
        { offsets: Int32Array.of(0, 2, 3, 5), targets: Int32Array.of(1, 2, 0, 1, 0) },
        { offsets: Int32Array.of(0, 0, 0, 0), targets: new Int32Array(0) },
      ],
    });
  });

  it.each([
    ['offset of level 0', 0],
    ['capacity', 8],
    ['documents', 16],
    ['bytes of a document', 24],
    ['offset of the label', 32],
    ['offset of the vector', 40],
    ['links above', 56],
    ['links on level 0', 64],
    ['M', 72],
    ['efConstruction', 88],
    ['links of document 0', groundAt],
    ['marks of document 0', groundAt + 2],
    ['link of document 0', groundAt + 4],
    ['vector 0', groundAt + 20],
    ['label 0', groundAt + 28],
    ['bytes of lists of document 0', aboveAt],
    ['links of document 1', aboveAt + 8],
  ])('are refused where the field is another: %s', (field, at) => {
    const bytes = saved();
    bytes[at] += 77;
    expect(() => readLinks(sourceOf(bytes), vectors, settings)).toThrow(new RegExp(`${field}: .* expected`));
  });

  it.each([
    ['highest level: -1', 48, [255, 255, 255, 255]],
    ['highest level: 64', 48, [64, 0, 0, 0]],
    ['level of the entry: 1', 48, [2, 0, 0, 0]],
    ['entry: 3', 52, [3, 0, 0, 0]],
    ['level of the entry: 0', 52, [0, 0, 0, 0]],
    ['spread of levels', 80, [9, 9]],
    ['link of document 0: 0', groundAt + 4, [0, 0, 0, 0]],
    ['link of document 0: 3', groundAt + 4, [3, 0, 0, 0]],
    ['link on level 1: 2', aboveAt + 8, [1, 0, 0, 0, 2, 0, 0, 0]],
    ['bytes of lists of document 1: 24', aboveAt + 4, [24, 0, 0, 0]],
  ])('are refused: %s', (reason, at, wrong) => {
    const bytes = saved();
    bytes.set(wrong, at);
    expect(() => readLinks(sourceOf(bytes), vectors, settings)).toThrow(reason);
  });

  it('are refused where the file is cut off anywhere, or goes on', () => {
    const bytes = saved();
    for (let end = 0; end < bytes.length; end++) {
      expect(() => readLinks(sourceOf(bytes.subarray(0, end)), vectors, settings)).toThrow(/not laid out/);
    }
    const longer = Uint8Array.from([...bytes, 0]);
    expect(() => readLinks(sourceOf(longer), vectors, settings)).toThrow(/more than expected/);
  });
});
