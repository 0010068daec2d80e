import { buildBoard } from '../../results/board.js';
import type { Board, BoardInput, BoardTask, ImportedSystem, Origin, SystemResults } from '../../results/board-types.js';
import { costed, values } from './boards.js';

/** What a file from elsewhere may call itself. */
export const hostileFormat = '<img src=x>|*mteb*\u202e';
export const hostileFile = "=cmd()|' /C calc'!A0</script>.json";

export const tasks: readonly BoardTask[] = ['a/one', 'a/two', 'b/one'].map((id) => ({
  ...{ id, suite: id[0], language: 'en', domain: 'test' },
  ...{ queries: 3, docs: 10, digest: `digest of ${id}` },
}));

const origin: Origin = { format: 'hakari', file: 'Task.json.xz' };

function ours(id: string, level: number, imported?: Origin): SystemResults {
  const results = tasks.map((task, t) => {
    const each = values(level, level + 0.1, level + t / 10);
    return [
      task.id,
      {
        ...costed({ bytesPerDoc: 10, indexBytes: 100, work: {} }, Float64Array.of(2, 2, 2)),
        queryMs: { p50: 1, p95: 2 },
        ...(imported && { imported }),
        values: new Map([
          ['nDCG@10', each],
          ['R@100', each],
        ]),
      },
    ] as const;
  });
  return { id, family: 'lexical', tasks: new Map(results) };
}

export function means(id: string, byTask: Readonly<Record<string, number>>, from: Origin = origin): ImportedSystem {
  const results = Object.entries(byTask).map(([task, value], i) => {
    const n = i === 0 ? null : 50;
    return [task, { origin: from, values: new Map([['nDCG@10', { value, n }]]) }] as const;
  });
  return { id, family: 'dense', tasks: new Map(results) };
}

export const importedInput: BoardInput = {
  tasks,
  systems: [
    ours('best', 0.6),
    ours('worst', 0.1),
    ours('run <b>from</b> elsewhere', 0.2, { format: 'trec', file: 'x.run' }),
  ],
  imported: [
    means('above all', { 'a/one': 0.9, 'a/two': 0.8, 'b/one': 1 }),
    means('__proto__', { 'a/one': 0.4, 'a/two': 0.4, 'b/one': 0.1 }, { format: hostileFormat, file: hostileFile }),
    means('lacks one', { 'a/one': 0.7, 'b/one': 0.6 }),
  ],
  measures: ['nDCG@10', 'R@100'],
  primary: 'nDCG@10',
  seed: 17,
  resamples: 100,
};

/** Three runs, one of them from elsewhere, and imported means above, between and incomplete. */
export const importedBoard: Board = buildBoard(importedInput);
