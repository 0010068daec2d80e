import { type JsonFile, wrongFile } from '../json-file.js';

/** A field of config.json and what it says. */
type Figure = readonly [field: string, value: number];

/** No model has such layers: counting them all the same would give a number of nothing. */
export function checkMultiple(config: JsonFile, [whole, size]: Figure, [part, parts]: Figure): void {
  if (size % parts === 0) return;
  throw wrongFile(`\`${whole}\` (${size}) is no multiple of \`${part}\` (${parts})`, config.name);
}

export function checkAtMost(config: JsonFile, [part, parts]: Figure, [whole, size]: Figure): void {
  if (parts <= size) return;
  throw wrongFile(`\`${part}\` (${parts}) is more than \`${whole}\` (${size})`, config.name);
}
