import { expect, test } from 'vitest';
import { z } from 'zod';
import { policyJsonSchema } from '../../results/gate/policy-schema.js';
import { corrections } from '../../results/stats/corrections.js';

/** What of a schema these tests read. */
const node = z.looseObject({
  description: z.string().optional(),
  default: z.unknown().optional(),
  enum: z.array(z.string()).optional(),
  required: z.array(z.string()).optional(),
  additionalProperties: z.boolean().optional(),
});
const objectNode = node.extend({ properties: z.record(z.string(), node) });
const shape = objectNode.extend({
  $schema: z.string(),
  $id: z.string(),
  properties: z.record(z.string(), z.looseObject({ description: z.string() })),
});
const checkList = z.looseObject({
  minItems: z.literal(1),
  items: z.looseObject({ anyOf: z.array(objectNode) }),
});

const schema = shape.parse(policyJsonSchema());
const shapes = checkList.parse(schema.properties.checks).items.anyOf;

test('the schema states its draft and its id, and is the same each time', () => {
  expect(schema.$schema).toBe('http://json-schema.org/draft-07/schema#');
  expect(schema.$id).toMatch(/gate\.schema\.json$/);
  expect(policyJsonSchema()).toEqual(policyJsonSchema());
});

test('it knows the keys of formats.md and no others; only checks have to be there', () => {
  const named = ['qrels', 'baseline', 'candidate', 'system', 'confidence', 'correction', 'checks', 'onMissing'];
  expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining([...named, 'onInconclusive']));
  expect(schema.required).toEqual(['checks']);
  expect(schema.additionalProperties).toBe(false);
});

test('every key is described, and defaults and choices are those of the gate', () => {
  for (const each of [schema, ...shapes]) {
    for (const [key, { description }] of Object.entries(each.properties)) {
      expect(description, key).toMatch(/^[A-Za-z].{9,}/);
    }
  }
  expect(schema.properties.confidence).toMatchObject({ default: 0.95, exclusiveMinimum: 0, exclusiveMaximum: 1 });
  expect(schema.properties.correction).toMatchObject({ default: 'holm', enum: [...corrections] });
  expect(schema.properties.onMissing).toMatchObject({ default: 'fail', enum: ['fail', 'warn'] });
  expect(schema.properties.onInconclusive).toMatchObject({ default: 'pass', enum: ['pass', 'fail'] });
});

test('a check is one of four strict shapes: a subject and a budget', () => {
  expect(shapes.map(({ required }) => required)).toEqual([
    ['measure', 'drop'],
    ['measure', 'rise'],
    ['cost', 'drop'],
    ['cost', 'rise'],
  ]);
  for (const each of shapes) {
    expect(each.additionalProperties).toBe(false);
    expect(Object.keys(each.properties)).toEqual(expect.arrayContaining(each.required ?? []));
  }
});

test('a budget is a number from 0 or a share, by the pattern that the gate reads', () => {
  const budget = z.looseObject({ anyOf: z.tuple([z.looseObject({}), z.looseObject({ pattern: z.string() })]) });
  const { anyOf } = budget.parse(shapes[0].properties.drop);
  expect(anyOf[0]).toMatchObject({ type: 'number', minimum: 0 });
  const pattern = new RegExp(anyOf[1].pattern);
  for (const text of ['2%', '0%', '1.5 %', '100%']) expect(text).toMatch(pattern);
  for (const text of ['2', '%', '-2%', '2%%', '1.%', ' 2%', '2 percent']) expect(text).not.toMatch(pattern);
});
