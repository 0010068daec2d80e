import { cohere } from './cohere.js';
import { jina } from './jina.js';
import { ollama } from './ollama.js';
import { openai } from './openai.js';
import { type ApiOptions, type ApiPlugin, systemOptions } from './plugin.js';
import { tei } from './tei.js';

export { missingFor } from './keys.js';
export type { ApiPlugin } from './plugin.js';
export { estimateSpend, type Metered, type Spent, spentBy } from './spend.js';

/** Services that models stand behind. One file and one line each. */
const plugins = [openai, ollama, tei, cohere, jina] as const;

/** The plug-ins with a clock of the caller's: for tests. */
export function apiModelsWith(options: ApiOptions): readonly ApiPlugin[] {
  return plugins.map((plugin) => plugin(options));
}

export const apiModels: readonly ApiPlugin[] = apiModelsWith(systemOptions);
