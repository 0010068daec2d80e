import { readFile, stat } from 'node:fs/promises';
import { printable, reasonOf, TenbinError } from '../../../core/errors.js';
import { type CountRequest, countGraph, type GraphCount } from '../../cost/graph/index.js';

/** Protocol Buffers' limit of one message: larger models keep their weights in a file beside the graph. */
const mostGraphBytes = 2 ** 31;

/** `countGraph` of a file, whose path its errors name; weights in files beside it are not read. Throws `missing` or `io` where it cannot be read. */
export async function countGraphFile(path: string, request: CountRequest): Promise<GraphCount> {
  const bytes = await graphBytes(path);
  try {
    return countGraph(bytes, request);
  } catch (error) {
    throw error instanceof TenbinError ? inFile(path, error) : error;
  }
}

/** What was asked for wrongly is no fault of the file. */
function inFile(path: string, { code, parts }: TenbinError): TenbinError {
  if (code === 'usage') return new TenbinError(code, parts);
  const { value } = parts;
  return new TenbinError(code, { ...parts, value: value === undefined ? path : `${path} (${value})` });
}

async function graphBytes(path: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(path);
    if (size < mostGraphBytes) return await readFile(path);
  } catch (error) {
    throw unreadable(path, error);
  }
  throw new TenbinError('refused', {
    what: 'No ONNX graph is as large',
    value: path,
    fix: 'Name the .onnx file, not the file of its weights.',
  });
}

function unreadable(path: string, error: unknown): TenbinError {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  return new TenbinError(isMissing ? 'missing' : 'io', {
    what: isMissing ? 'There is no such graph' : `The graph could not be read (${printable(reasonOf(error))})`,
    value: path,
    fix: 'Name an .onnx file that is there and can be read.',
    cause: error,
  });
}
