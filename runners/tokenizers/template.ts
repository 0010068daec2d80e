import { z } from 'zod';

/** A place of a finished row: a special token, or all tokens of the first (A) or second (B) text. */
export type Slot =
  | { readonly kind: 'special'; readonly ids: readonly number[]; readonly typeId: number }
  | { readonly kind: 'text'; readonly text: 'A' | 'B'; readonly typeId: number };

/** What stands around one text, and around a pair. */
export interface Template {
  readonly single: readonly Slot[];
  readonly pair: readonly Slot[];
}

const slot = z.union([
  z.object({ SpecialToken: z.object({ id: z.string(), type_id: z.number() }) }),
  z.object({ Sequence: z.object({ id: z.enum(['A', 'B']), type_id: z.number() }) }),
]);
const tokenWithId = z.tuple([z.string(), z.int()]);

const templateProcessing = z.object({
  type: z.literal('TemplateProcessing'),
  single: z.array(slot),
  pair: z.array(slot),
  special_tokens: z.record(z.string(), z.object({ ids: z.array(z.int()) })),
});
const bertProcessing = z.object({ type: z.literal('BertProcessing'), cls: tokenWithId, sep: tokenWithId });
const robertaProcessing = z.object({ type: z.literal('RobertaProcessing'), cls: tokenWithId, sep: tokenWithId });
const byteLevel = z.object({ type: z.literal('ByteLevel') });
const one = z.discriminatedUnion('type', [templateProcessing, bertProcessing, robertaProcessing, byteLevel]);

/** `post_processor` of tokenizer.json. */
export const postProcessor = z.nullish(
  z.union([one, z.object({ type: z.literal('Sequence'), processors: z.array(one) })]),
);
type PostProcessor = z.infer<typeof postProcessor>;

/** Reads the template off; without one, texts stand as they are, one after the other. */
export function templateOf(processor: PostProcessor): Template {
  const parts = processor?.type === 'Sequence' ? processor.processors : processor ? [processor] : [];
  const told = parts.find(({ type }) => type !== 'ByteLevel');
  switch (told?.type) {
    case 'TemplateProcessing':
      return { single: slotsOf(told.single, told.special_tokens), pair: slotsOf(told.pair, told.special_tokens) };
    case 'BertProcessing': {
      const [cls, sep] = [special(told.cls[1]), special(told.sep[1])];
      return { single: [cls, text('A'), sep], pair: [cls, text('A'), sep, text('B', 1), { ...sep, typeId: 1 }] };
    }
    case 'RobertaProcessing': {
      const [cls, sep] = [special(told.cls[1]), special(told.sep[1])];
      return { single: [cls, text('A'), sep], pair: [cls, text('A'), sep, sep, text('B'), sep] };
    }
    default:
      return { single: [text('A')], pair: [text('A'), text('B', 1)] };
  }
}

type Specials = z.infer<typeof templateProcessing>['special_tokens'];

function slotsOf(slots: readonly z.infer<typeof slot>[], specials: Specials): Slot[] {
  const ids = new Map(Object.entries(specials).map(([name, { ids }]) => [name, ids]));
  return slots.map((each) =>
    'Sequence' in each
      ? text(each.Sequence.id, each.Sequence.type_id)
      : { kind: 'special', ids: ids.get(each.SpecialToken.id) ?? [], typeId: each.SpecialToken.type_id },
  );
}

const special = (id: number) => ({ kind: 'special', ids: [id], typeId: 0 }) as const;
const text = (name: 'A' | 'B', typeId = 0) => ({ kind: 'text', text: name, typeId }) as const;

/** How many special tokens a template adds. */
export function addedTokens(slots: readonly Slot[]): number {
  return slots.reduce((sum, each) => sum + (each.kind === 'special' ? each.ids.length : 0), 0);
}

/** A finished row: ids and the type (segment) of each. */
export interface Row {
  readonly ids: number[];
  readonly typeIds: number[];
}

export function fill(slots: readonly Slot[], a: readonly number[], b: readonly number[] = []): Row {
  const ids: number[] = [];
  const typeIds: number[] = [];
  for (const each of slots) {
    const part = each.kind === 'special' ? each.ids : each.text === 'A' ? a : b;
    for (const id of part) {
      ids.push(id);
      typeIds.push(each.typeId);
    }
  }
  return { ids, typeIds };
}
