import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readModelFolder } from '../../../runners/backends/model-folder/index.js';
import type { ModelCard } from '../../../runners/models/card.js';
import { embeddedCards } from '../../../runners/models/cards/index.js';

const root = join(import.meta.dirname, '../../..');

/** The product's own copy, else the original beside the repository. */
function folderOf(card: ModelCard): string {
  const copy = join(root, 'runners/models/embedded', card.id);
  return existsSync(copy) ? copy : join(root, '../shared/models', card.id);
}

test('four models come with the product, one of each family', () => {
  expect(embeddedCards.map(({ id, family }) => [id, family])).toEqual([
    ['dense-tiny', 'dense'],
    ['splade-tiny', 'sparse'],
    ['colbert-tiny', 'late-interaction'],
    ['ce-tiny', 'reranker'],
  ]);
});

for (const card of embeddedCards) {
  const folder = folderOf(card);
  const reason = existsSync(folder) ? '' : ` (no ${folder})`;
  test.skipIf(reason !== '')(`${card.id} says what its folder says${reason}`, async () => {
    const read = await readModelFolder(folder, { id: card.id, origin: card.origin });
    // What a folder cannot say: how the project describes the model, checks it, and that it ships one graph only.
    const { summary, verified, languages, files } = card;
    expect(read.files.w8).toBe(files.w8);
    expect({ ...read, summary, verified, languages, files }).toEqual(card);
  });
}
