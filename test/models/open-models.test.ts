import { describe, expect, test } from 'vitest';
import { openModels } from '../../runners/backends/open-models.js';
import type { TextEncoder } from '../../runners/open-model.js';
import type { ModelAccess, PretrainedModel } from '../../runners/system.js';

const access: ModelAccess = {
  device: 'cpu',
  threads: 1,
  environment: {},
  logFolder: '',
  onNote: () => undefined,
};

/** A model that writes down when it is opened and closed, and encodes when it is let. */
function recorded(id: string, modelBytes: number, log: string[], gate: Promise<void> = Promise.resolve()) {
  const open = async (): Promise<TextEncoder> => {
    log.push(`open ${id}`);
    return {
      kind: 'encoder',
      conditions: {},
      modelBytes,
      encode: async () => {
        await gate;
        return { kind: 'dense', dims: 1, vectors: Float32Array.of(1), tokens: null };
      },
      tokenIds: () => null,
      close: async () => {
        log.push(`close ${id}`);
      },
    };
  };
  const model: PretrainedModel = { kind: 'pretrained', family: 'dense', id, summary: id, identity: id, open };
  return model;
}

describe('open models', () => {
  test('a model is opened once, also when two ask at the same time', async () => {
    const log: string[] = [];
    const pool = openModels(access, 100);
    const model = recorded('a', 10, log);
    await Promise.all([pool.use(model), pool.use(model)]);
    await pool.use(model);
    expect(log).toEqual(['open a']);
    await pool.close();
    expect(log).toEqual(['open a', 'close a']);
  });

  test('the one used longest ago goes when the weights are too many', async () => {
    const log: string[] = [];
    const pool = openModels(access, 25);
    const [a, b, c] = ['a', 'b', 'c'].map((id) => recorded(id, 10, log));
    await pool.use(a);
    await pool.use(b);
    await pool.use(a);
    await pool.use(c);
    expect(log).toEqual(['open a', 'open b', 'open c', 'close b']);
    await pool.use(b);
    expect(log.slice(4)).toEqual(['open b', 'close a']);
  });

  test('one larger than the budget is opened all the same, and stays while it is in hand', async () => {
    const log: string[] = [];
    const pool = openModels(access, 5);
    await pool.use(recorded('big', 10, log));
    expect(log).toEqual(['open big']);
  });

  test('one that works is never closed under its user', async () => {
    const log: string[] = [];
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const pool = openModels(access, 5);
    const busy = await pool.use(recorded('busy', 4, log, gate));
    const encoding = busy.kind === 'encoder' ? busy.encode(['x'], 'query') : Promise.reject(new Error('no encoder'));
    await pool.use(recorded('other', 4, log));
    expect(log).toEqual(['open busy', 'open other']);
    release();
    await encoding;
    await pool.use(recorded('third', 4, log));
    expect(log).toContain('close busy');
  });

  test('services are ended between tasks, and files stay open', async () => {
    const log: string[] = [];
    const pool = openModels(access, 100);
    await pool.use(recorded('service', 0, log));
    await pool.use(recorded('file', 10, log));
    await pool.closeServices();
    expect(log).toEqual(['open service', 'open file', 'close service']);
    await pool.use(recorded('service', 0, log));
    expect(log).toHaveLength(4);
    await pool.close();
  });

  test('a failure to open is not remembered', async () => {
    const pool = openModels(access, 5);
    let attempts = 0;
    const failing: PretrainedModel = {
      ...recorded('f', 1, []),
      open: async () => {
        attempts++;
        throw new Error('no such file');
      },
    };
    await expect(pool.use(failing)).rejects.toThrow('no such file');
    await expect(pool.use(failing)).rejects.toThrow('no such file');
    expect(attempts).toBe(2);
    await pool.close();
  });
});
