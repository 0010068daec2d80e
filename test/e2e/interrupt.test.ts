import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../small-nano.js';
import { entry } from './tenbin.js';

test('Ctrl-C while a graph runs ends the process, and does not abort it', async () => {
  const folder = temporaryFolder();
  const lines = Array.from({ length: 20_000 }, (_, i) =>
    JSON.stringify({ id: String(i), text: `words ${i}`.repeat(9) }),
  );
  writeFileSync(join(folder, 'texts.jsonl'), lines.join('\n'));
  const child = spawn(process.execPath, [entry, 'encode', 'dense-tiny', '--texts', 'texts.jsonl', '--format', 'json'], {
    cwd: folder,
    env: { ...process.env, TENBIN_OUT: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (piece) => {
    said += piece;
    if (/encode \d+\/20000/.test(said)) child.kill('SIGINT');
  });
  const end = await new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal)));
  expect([130, 'SIGINT']).toContain(end);
  expect(said).not.toContain('Napi');
}, 60_000);
