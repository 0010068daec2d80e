import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readSafetensors } from '../../runners/backends/onnx/safetensors.js';
import { floats } from './mini-graph.js';
import { safetensors } from './safetensors-file.js';

describe('safetensors', () => {
  test('reads 32 and 16 bits, at any alignment', () => {
    const read = readSafetensors(
      'x',
      safetensors({
        half: { dtype: 'F16', shape: [3], data: new Uint8Array(Uint16Array.of(0x3c00, 0xc000, 0x0001).buffer) },
        brain: { dtype: 'BF16', shape: [2], data: new Uint8Array(Uint16Array.of(0x3f80, 0xc2f7).buffer) },
        full: { dtype: 'F32', shape: [2, 1], data: floats([1.5, -2]) },
      }),
    );
    expect([...(read.get('half')?.values ?? [])]).toEqual([1, -2, 2 ** -24]);
    expect([...(read.get('brain')?.values ?? [])]).toEqual([1, -123.5]);
    expect(read.get('full')).toEqual({ shape: [2, 1], values: Float32Array.of(1.5, -2) });
  });

  test('no bytes make it do anything but read or refuse', () => {
    const whole = safetensors({ w: { dtype: 'F32', shape: [2], data: floats([1, 2]) } });
    fc.assert(
      fc.property(
        fc.nat(whole.length),
        fc.nat(whole.length - 1),
        fc.integer({ min: 0, max: 255 }),
        (length, at, byte) => {
          const bytes = Uint8Array.from(whole);
          bytes[at] = byte;
          try {
            for (const { values } of readSafetensors('x', bytes.subarray(0, length)).values())
              expect(values.length).toBeLessThan(100);
          } catch (error) {
            expect(String(error)).toMatch(/safetensors file cannot be read/);
          }
        },
      ),
    );
  });

  test.each([
    ['too short', Buffer.alloc(4), /header is longer/],
    ['a header of a terabyte', Buffer.from([0, 0, 0, 0, 0, 1, 0, 0, 123]), /header is longer/],
    [
      'half a number',
      safetensors({ w: { dtype: 'F16', shape: [1], data: new Uint8Array(3) } }),
      /has 1.5 values, not 1/,
    ],
    ['a wrong shape', safetensors({ w: { dtype: 'F32', shape: [3], data: floats([1]) } }), /has 1 values, not 3/],
  ])('%s is refused', (_, bytes, message) => {
    expect(() => readSafetensors('weights', bytes)).toThrow(message);
  });

  test.each(['I64', 'F64', 'F8_E4M3', 'toString'])('%s matters to nobody but who asks for it', (dtype) => {
    const read = readSafetensors(
      'weights',
      safetensors({
        ids: { dtype, shape: [1, 1], data: new Uint8Array(8) },
        w: { dtype: 'F32', shape: [2], data: floats([1, 2]) },
      }),
    );
    expect(read.get('w')?.values).toEqual(Float32Array.of(1, 2));
    expect(read.get('ids')?.shape).toEqual([1, 1]);
    expect(() => read.get('ids')?.values).toThrow(
      expect.objectContaining({
        code: 'refused',
        message: expect.stringMatching(`the tensor ids is of type ${dtype}: weights`),
      }),
    );
  });
});
