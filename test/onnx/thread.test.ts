import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { builtIn, denseTiny } from './cards.js';
import { goldenOf, textOf } from './references.js';

/** Only built code can run in a thread; `npm test` builds first. */
const built = join(import.meta.dirname, '../../dist/runners/backends/onnx');
const missing = existsSync(join(built, 'session-worker.js')) ? '' : ' (skipped without dist/: run `npm run build`)';

/** What a program prints that may use the built backend. */
function printed(program: string): unknown {
  const script = `
    import { openOnnx } from ${JSON.stringify(join(built, 'index.js'))};
    import { openSession } from ${JSON.stringify(join(built, 'session.js'))};
    const files = ${JSON.stringify(builtIn(denseTiny))};
    const cpu = { device: 'cpu', threads: 2 };
    const reasonOf = (error) => String(error.message);
    ${program}
  `;
  const options = { encoding: 'utf8', timeout: 50_000 } as const;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], options));
}

describe.skipIf(missing !== '')(`a session in a thread of its own${missing}`, () => {
  test('gives the same vectors, while this thread goes on', () => {
    const { texts } = goldenOf('dense-tiny', 'vectors_w8.json');
    const ids = ['d-photo', 'q-plain', 'empty', 'd-tides'];
    const result = printed(`
      const model = await openOnnx(files, cpu);
      let turns = 0;
      const timer = setInterval(() => turns++, 1);
      const texts = ${JSON.stringify(ids.map(textOf))};
      const many = Array.from({ length: 100 }, () => texts).flat();
      const { vectors } = await model.encode(many, 'document');
      clearInterval(timer);
      await model.close();
      console.log(JSON.stringify({ turns, vectors: [...vectors.subarray(0, 4 * 128)] }));
    `) as { turns: number; vectors: number[] };
    ids.forEach((id, i) => {
      texts[id].vector.forEach((value: number, at: number) => {
        expect(Math.abs(value - result.vectors[i * 128 + at])).toBeLessThan(1e-4);
      });
    });
    expect(result.turns).toBeGreaterThan(1);
  });

  test('says why it could not be opened, and which job failed', () => {
    const result = printed(`
      const request = { path: files.folder + '/onnx/model_w8.onnx', encoderPath: null, device: 'cpu', threads: 1, leastWidth: 2, projections: [] };
      const open = (change) => openSession({ ...request, ...change });
      const errors = [];
      for (const change of [{ device: 'cuda' }, { path: '/nowhere.onnx' }, { encoderPath: '/nowhere.onnx' }]) {
        errors.push(await open(change).then(() => 'opened', reasonOf));
      }
      const session = await open({});
      const job = (id) => ({
        batch: { ids: Int32Array.of(101, id, 102), offsets: Int32Array.of(0, 3), typeIds: null, attended: null },
        reading: { kind: 'pooled', pooling: 'mean', normalize: true },
        decoder: null,
      });
      const settled = await Promise.allSettled([session.run(job(1e6)), session.run(job(2000))]);
      errors.push(...settled.map(({ status, reason }) => (reason ? reasonOf(reason) : status)));
      await session.close();
      errors.push(await session.run(job(2000)).catch(reasonOf));
      console.log(JSON.stringify(errors));
    `) as string[];
    expect(result).toEqual([
      expect.stringMatching(/device cannot be used .*: cuda\. ONNX Runtime here knows cpu/),
      expect.stringMatching(/no such graph: \/nowhere\.onnx/),
      expect.stringMatching(/no such graph: \/nowhere\.onnx/),
      expect.stringMatching(/could not run the graph.*out of data bounds/),
      'fulfilled',
      expect.stringMatching(/thread that runs a graph has ended/),
    ]);
  });

  test('left open, it keeps no process alive', () => {
    expect(printed(`const model = await openOnnx(files, cpu); console.log(JSON.stringify(model.kind));`)).toBe(
      'encoder',
    );
  });
});
