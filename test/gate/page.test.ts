import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parsePolicy } from '../../results/gate/policy.js';
import { headSchema } from '../../results/gate/policy-schema.js';

const page = readFileSync(join(import.meta.dirname, '../../docs/gate.md'), 'utf8');

test('the policy of docs/gate.md is one', () => {
  const [, policy = ''] = /^```yaml\n(.*?checks:.*?)^```$/ms.exec(page) ?? [];
  const { checks, system } = parsePolicy(policy, 'docs/gate.md');
  expect(checks.map((check) => (check.kind === 'measure' ? check.measure : check.cost))).toEqual([
    ...['nDCG@10', 'R@100', 'nDCG@10', 'Unjudged@10', 'bytesPerDoc'],
  ]);
  expect(system).toBe('bm25');
});

test('its table has every key of a policy', () => {
  const table = page.slice(page.indexOf('## Keys'), page.indexOf('## Verdicts'));
  for (const key of Object.keys(headSchema.shape)) expect(table).toContain(`\`${key}\``);
});
