import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { benchBm25, bm25BenchLines } from './bm25.js';
import { benchDense, denseBenchLines } from './dense.js';
import { benchEncode, encodeBenchLines } from './encode.js';
import { benchHnsw, hnswBenchLines } from './hnsw.js';
import { benchScore, scoreBenchLines } from './score.js';

// `npm run bench [bm25|dense|encode|hnsw|score …]`: speeds of ours and of peers, measured in one run on this machine; read
// the ratios. TENBIN_DATA is a folder with datasets/ and peers/ (default ../shared), TENBIN_PYTHON a Python with the peers.
const data = process.env.TENBIN_DATA ?? '../shared';
const python = process.env.TENBIN_PYTHON ?? join(homedir(), '.cache/tenbin-peers/bin/python');
const peers = (name: string) => join(data, 'peers', name);

const benches: ReadonlyMap<string, () => Promise<readonly string[]>> = new Map([
  [
    'bm25',
    async () =>
      bm25BenchLines(await benchBm25({ datasets: join(data, 'datasets'), python, peers: peers('bm25_peer.py') })),
  ],
  ['dense', async () => denseBenchLines(await benchDense({ python, peers: peers('exact_peer.py') }))],
  [
    'encode',
    async () =>
      encodeBenchLines(
        await benchEncode({
          models: join(data, 'models'),
          dataset: join(data, 'datasets/scifact'),
          node: join(homedir(), '.cache/tenbin-peers/node'),
          python,
          peer: peers('encode_peer.py'),
        }),
      ),
  ],
  ['hnsw', async () => hnswBenchLines(benchHnsw())],
  ['score', async () => scoreBenchLines(await benchScore({ python, peers: peers('score_peer.py') }))],
]);

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !benches.has(name));
if (unknown.length > 0) {
  process.stderr.write(`Unknown benchmark: ${unknown.join(', ')}. There are ${[...benches.keys()].join(', ')}.\n`);
  process.exit(2);
}
const { stdout } = await promisify(execFile)('uptime').catch(() => ({ stdout: '' }));
process.stdout.write(`Node ${process.version} ${process.arch}; ${stdout.trim()}\n`);
for (const [name, bench] of benches) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  process.stdout.write(`\n${name}\n${(await bench()).map((line) => `  ${line}`).join('\n')}\n`);
}
