import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** A folder with these files that goes when the tests of the file have ended. */
export function folderOf(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'tenbin-onnx-'));
  made.push(folder);
  for (const [name, data] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), data);
  }
  return folder;
}

/** Whole words and punctuation only; `[CLS] … [SEP]` around texts, unless told otherwise. */
export function wordTokenizer(words: readonly string[], around: 'special' | 'bare' = 'special') {
  const specials = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];
  const id = (token: string) => specials.indexOf(token);
  const file = {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: specials.map((content, at) => ({
      id: at,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: null,
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor:
      around === 'bare' ? null : { type: 'BertProcessing', cls: ['[CLS]', id('[CLS]')], sep: ['[SEP]', id('[SEP]')] },
    decoder: null,
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries([...specials, ...words].map((token, at) => [token, at])),
    },
  };
  const config = Object.fromEntries(
    ['pad', 'unk', 'cls', 'sep', 'mask'].map((name) => [`${name}_token`, `[${name.toUpperCase()}]`]),
  );
  return { 'tokenizer.json': JSON.stringify(file), 'tokenizer_config.json': JSON.stringify(config) };
}

/** Ids of `wordTokenizer`: 0 [PAD], 1 [UNK], 2 [CLS], 3 [SEP], 4 [MASK], then the words. */
export const firstWord = 5;
