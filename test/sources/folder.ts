import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder of files that is there until the test ends. */
export function folderOf(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'tenbin-sources-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

/** A small BEIR collection; files given take the place of its own. */
export function beirFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  return folderOf({
    'corpus.jsonl': '{"_id":"d1","text":"one"}\n{"_id":"d2","text":"two"}\n',
    'queries.jsonl': '{"_id":"q1","text":"which"}\n',
    'qrels/test.tsv': 'query-id\tcorpus-id\tscore\nq1\td1\t1\n',
    ...files,
  });
}
