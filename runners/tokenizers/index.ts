export { type SpecialIds, type Tokenizer, type TokenRow, tokenizerOf } from './tokenizer.js';
export { tokenizerVersion } from './version.js';
