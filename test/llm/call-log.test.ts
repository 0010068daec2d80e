import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CallRecord, callLogPath, fileCallLog } from '../../runners/backends/llm/call-log.js';
import { chatServer, perfect } from './chat-server.js';
import { errorOf, openRanker, passages, temporaryFolder } from './opened.js';

const record: CallRecord = {
  time: '2026-01-15T12:00:00.000Z',
  model: 'm',
  servedModel: null,
  schedule: 's',
  query: 'q',
  prompt: 'p',
  promptTokens: 1,
  completionTokens: 1,
  finishReason: 'stop',
  outcome: 'clean',
  attempts: 1,
  latencyMs: 3,
  answer: 'line\nbreak \u2028 \ud83d',
  error: null,
};

describe('the log of calls', () => {
  it('keeps the order of the calls, one line each, whatever the answers hold', async () => {
    const folder = join(temporaryFolder(), 'a', 'b');
    const path = callLogPath(folder, 'm');
    const log = fileCallLog(path, folder);
    await Promise.all(Array.from({ length: 50 }, (_, latencyMs) => log.append({ ...record, latencyMs })));
    await log.close();
    const lines = readFileSync(path, 'utf8').split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => (JSON.parse(line) as CallRecord).latencyMs)).toEqual([...Array(50).keys()]);
    expect(JSON.parse(lines[0])).toEqual({ ...record, latencyMs: 0 });
  });

  it('writes a long line whole before the next', async () => {
    const folder = temporaryFolder();
    const log = fileCallLog(callLogPath(folder, 'm'), folder);
    const answers = ['a'.repeat(3_000_000), 'b', 'c'.repeat(2_000_000), 'd'];
    await Promise.all(answers.map((answer) => log.append({ ...record, answer })));
    await log.close();
    const lines = readFileSync(callLogPath(folder, 'm'), 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as CallRecord).answer?.[0])).toEqual(['a', 'b', 'c', 'd']);
  });

  it('is only ever appended to, and ends the line that a killed process left open', async () => {
    const folder = temporaryFolder();
    const path = callLogPath(folder, 'm');
    writeFileSync(path, '{"whole":1}\n{"torn":');
    for (let run = 0; run < 2; run++) {
      const log = fileCallLog(path, folder);
      await log.append(record);
      await log.close();
    }
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect(lines.slice(0, 2)).toEqual(['{"whole":1}', '{"torn":']);
    expect(lines.slice(2).map((line) => JSON.parse(line))).toEqual([record, record]);
  });

  it('makes no file where nothing was asked', async () => {
    const folder = temporaryFolder();
    await fileCallLog(callLogPath(folder, 'm'), folder).close();
    expect(() => readFileSync(callLogPath(folder, 'm'))).toThrow(/ENOENT/);
  });

  it('has a name that is no path, whatever the model is called', () => {
    for (const model of ['../../etc/passwd', 'Qwen/Qwen3-8B', 'a\0b', '..', 'x'.repeat(200)]) {
      const name = basename(callLogPath('/logs', model));
      expect(callLogPath('/logs', model)).toBe(`/logs/${name}`);
      expect(name).toMatch(/^chat\.[\w.=+-]*\.[0-9a-f]{10}\.jsonl$/);
    }
    expect(callLogPath('/logs', 'a/b')).not.toBe(callLogPath('/logs', 'a_b'));
  });

  it('that cannot be written fails the call with the path, and closing still works', async () => {
    const folder = temporaryFolder();
    appendFileSync(join(folder, 'file'), '');
    const server = await chatServer(perfect);
    const { model } = await openRanker(server.baseUrl, 'setwise.heapsort', { logFolder: join(folder, 'file') });
    const error = await errorOf(model.rank('which?', passages([1, 2, 3]), 1));
    expect(error.message).toContain(join(folder, 'file'));
    await model.close();
  });
});
