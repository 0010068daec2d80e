import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tenbin } from '../e2e/tenbin.js';

const cwd = mkdtempSync(join(tmpdir(), 'tenbin-trec-'));
writeFileSync(join(cwd, 'q.txt'), '2 0 x 1\n10 0 a 2\n10 0 b 1\n');
writeFileSync(join(cwd, 'r.txt'), '10 Q0 a 1 1 mine\n10 Q0 b 2 1 mine\n10 Q0 c 3 0.5 yours\n');

test('trec_eval’s defaults hold with --format trec: its measures, its ties, and no topic that the run lacks', () => {
  const { code, stdout, stderr } = tenbin(
    ['score', '--format', 'trec', '-q', '-mmap', '-m', 'all_trec', '-m', 'P.1', '-l2', 'q.txt', 'r.txt'],
    { cwd },
  );
  expect(code).toBe(0);
  const lines = stdout.split('\n');
  expect(lines.slice(0, 4)).toEqual([
    'num_ret               \t10\t3',
    'num_rel               \t10\t1',
    'num_rel_ret           \t10\t1',
    'map                   \t10\t0.5000',
  ]);
  expect(lines).toContain('P_1                   \t10\t0.0000');
  expect(lines).toContain('runid                 \tall\tyours');
  expect(lines).toContain('num_q                 \tall\t1');
  expect(lines).toContain('ndcg                  \tall\t0.8597');
  expect(stderr).toMatch(/left out.*relstring/);
  expect(stderr).toMatch(/1 of 2 topics are missing and count nowhere; trec_eval 10\.0 stops/);
});

test('-c, -n, -M and tenbin’s own measures', () => {
  const { code, stdout, stderr } = tenbin(
    ['score', '--format', 'trec', '-cqn', '-M1', '--quiet', '-m', 'RR@10', '-m', 'recip_rank', 'q.txt', 'r.txt'],
    { cwd },
  );
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.split('\n')).toEqual([
    'recip_rank            \t10\t1.0000',
    'RR@10                 \t10\t1.0000',
    'recip_rank            \t2\t0.0000',
    'RR@10                 \t2\t0.0000',
    '',
  ]);
});
