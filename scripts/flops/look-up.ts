import { defaultRuntimeSettings, runtimeFor } from '../../runners/backends/runtime.js';
import { startDownloads } from '../downloads.js';
import { note } from '../output.js';
import { type FlopsSubject, flopsSubject } from './subject.js';

/** The layers of a model by its text, with bars for what is downloaded and the environment as it is. */
export async function lookUpSubject(text: string, quiet?: boolean): Promise<FlopsSubject> {
  const downloads = startDownloads(quiet);
  const onNote = quiet ? () => undefined : note;
  // Nothing is run, so nothing is written below the root.
  const settings = { ...defaultRuntimeSettings, root: '.' };
  const { access } = runtimeFor(settings, process.env, { onNote, onDownload: downloads.step });
  try {
    return await flopsSubject(text, access);
  } finally {
    downloads.stop();
  }
}
