import { join } from 'node:path';
import type { Job, Reading, Session, SessionRequest } from '../../runners/backends/onnx/job.js';
import { batchOf } from '../../runners/backends/onnx/padding.js';
import { openSession } from '../../runners/backends/onnx/session.js';
import { graphBytes, type MiniGraph } from './mini-graph.js';
import { folderOf } from './tiny-folder.js';

/** A session's request with what tests rarely change. */
export function request(path: string, more: Partial<SessionRequest> = {}): SessionRequest {
  return { path, encoderPath: null, device: 'cpu', threads: 1, leastWidth: 2, projections: [], ...more };
}

/** Writes the graph into a folder of its own, opens it, and closes it after use. */
export async function opened<T>(graph: MiniGraph, use: (session: Session) => Promise<T>): Promise<T> {
  const folder = folderOf({ 'model.onnx': graphBytes(graph) });
  const session = await openSession(request(join(folder, 'model.onnx')));
  try {
    return await use(session);
  } finally {
    await session.close();
  }
}

export const rows = (...all: readonly (readonly number[])[]) => batchOf(all.map((row) => ({ ids: row })));
export const job = (reading: Reading, ...all: readonly (readonly number[])[]): Job => ({
  batch: rows(...all),
  reading,
  decoder: null,
});
