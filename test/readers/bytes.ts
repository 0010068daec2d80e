import { TenbinError } from '../../core/errors.js';

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The error that a promise ends in. */
export async function failure(promise: Promise<unknown>): Promise<TenbinError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof TenbinError) return error;
    throw error;
  }
  throw new Error('It was accepted.');
}
