import { expect, test } from 'vitest';
import { stopOnInterrupt } from '../../scripts/latency/stop.js';

test('the first Ctrl-C is a wish, the second ends as usual, and nothing stays behind', () => {
  const before = process.listeners('SIGINT');
  const seen: string[] = [];
  const usual = () => void seen.push('usual');
  process.removeAllListeners('SIGINT');
  process.on('SIGINT', usual);
  try {
    const { isStopped, release } = stopOnInterrupt(() => seen.push('stopping'));
    expect(isStopped()).toBe(false);
    process.emit('SIGINT');
    expect([isStopped(), seen]).toEqual([true, ['stopping']]);
    process.emit('SIGINT');
    expect(seen).toEqual(['stopping', 'usual']);
    release();
    expect(process.listeners('SIGINT')).toEqual([usual]);

    stopOnInterrupt(() => undefined).release();
    expect(process.listeners('SIGINT')).toEqual([usual]);
  } finally {
    process.removeAllListeners('SIGINT');
    for (const listener of before) process.on('SIGINT', listener);
  }
});
