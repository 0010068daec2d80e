import { registry } from '../../core/registry.js';
import type { Analyzer } from '../system.js';
import { bigram } from './bigram.js';
import { code } from './code.js';
import { english } from './english.js';
import { segmenter } from './segmenter.js';
import { snowball } from './snowball.js';
import { unicode } from './unicode.js';

export { analyzerFor } from './for-language.js';

export const analyzers = registry<Analyzer>('analyzer', 'tenbin analyzers', [
  unicode,
  english,
  snowball,
  bigram,
  segmenter,
  code,
]);
