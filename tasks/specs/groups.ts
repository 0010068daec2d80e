import { embeddedTasks } from './embedded.js';

/**
 * The tasks of `npm run demo`: every kind of source, and as many languages and scripts as fit into three minutes with five
 * families of models. Cross-lingual ones share their documents, which are then encoded once. Latin, Cyrillic, Han, kana,
 * Hangul, Devanagari, Bengali and Thai are among them.
 */
const demo: readonly string[] = [
  'embedded-en/cwe',
  'embedded-en/emoji-en',
  'embedded-code/jsfn-lodash',
  'embedded-code/jsfn-rxjs',
  'embedded-multilingual/emoji-de',
  'embedded-multilingual/emoji-fi',
  'embedded-multilingual/emoji-ja',
  'embedded-multilingual/emoji-th',
  'embedded-multilingual/emoji-zh',
  'embedded-crosslingual/emojix-bn',
  'embedded-crosslingual/emojix-es',
  'embedded-crosslingual/emojix-hi',
  'embedded-crosslingual/emojix-it',
  'embedded-crosslingual/emojix-ko',
  'embedded-crosslingual/emojix-uk',
  'embedded-crosslingual/emojix-vi',
  'embedded-crosslingual/tsdiag-fr',
  'embedded-crosslingual/tsdiag-ja',
  'embedded-crosslingual/tsdiag-ru',
  'embedded-crosslingual/tsdiag-tr',
];

/** Named groups of tasks beside the suites: name → task ids. */
export const taskGroups: ReadonlyMap<string, readonly string[]> = new Map([
  ['embedded', embeddedTasks.map(({ id }) => id)],
  ['demo', demo],
]);
