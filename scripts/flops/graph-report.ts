import { join } from 'node:path';
import { TenbinError } from '../../core/errors.js';
import { byCodePoint } from '../../core/order.js';
import { countGraphFile } from '../../runners/backends/graph-count/index.js';
import { chooseDtype, encoderOf, requiredFiles } from '../../runners/backends/model-folder/index.js';
import { locateModel } from '../../runners/backends/resolve/index.js';
import type { PartKind } from '../../runners/cost/batch.js';
import { forwardFlops } from '../../runners/cost/forward.js';
import { explain, type GraphCount, type GraphDifference } from '../../runners/cost/graph/index.js';
import type { FlopsPart } from '../../runners/cost/parts.js';
import type { CostHead, Matmul } from '../../runners/cost/types.js';
import type { ModelCard } from '../../runners/models/card.js';
import { note } from '../output.js';
import { type ClosedForm, closedFormReport, type ReportOptions } from './report.js';
import type { FlopsSubject } from './subject.js';

export interface GraphOptions extends ReportOptions {
  readonly dtype?: string;
  readonly quiet?: boolean;
}

/** One graph of a model, counted, with the matrix multiplications of the closed form that belong to it. */
interface Counted {
  /** `encoder ` and `decoder ` where there are two. */
  readonly side: string;
  readonly count: GraphCount;
  readonly closed: readonly Matmul[];
}

/** FLOPs counted from the ONNX file, and why the closed form differs from it. One pass, of texts of one length. */
export async function graphReport(subject: FlopsSubject, options: GraphOptions): Promise<ClosedForm> {
  const form = closedFormReport(subject, options);
  const card = checked(subject, options);
  const batch = options.batch ?? 1;
  const counted = await countAll(card, form, { ...options, batch });
  const atLeast = counted.some(({ count }) => !count.exact);
  const explained = counted.flatMap(({ count, closed }) => explain(count, { matmuls: closed, batch }));
  const difference = form.request.head.kind === 'two-words' ? withTwoWords(explained, form, batch) : explained;
  const { batch: _batch, ...report } = form.report;
  const total = counted.reduce((sum, { count }) => sum + count.total, 0);
  const head = headOf(form, counted, difference);
  return {
    ...form,
    report: {
      ...report,
      from: 'graph',
      flops: {
        body: total - head,
        head,
        total,
        causalUseful: atLeast ? null : usefulOf(form, total - head, difference),
      },
      parts: partsOf(counted, options.by),
      difference,
      atLeast,
      problems: counted.flatMap(({ count }) => count.problems),
      others: othersOf(counted),
    },
  };
}

function checked({ card, model }: FlopsSubject, { lengths, generate }: GraphOptions): ModelCard {
  const wrong = (what: string, value: string, fix: string) => new TenbinError('usage', { what, value, fix });
  if (lengths !== undefined) throw wrong('A graph is counted for texts of one length', '--lengths', 'Give --tokens.');
  if (generate !== undefined && generate > 1)
    throw wrong('A graph is counted for one pass', `--generate ${generate}`, 'Leave --generate out.');
  if (card !== null) return card;
  throw wrong(
    'This model has no graph that could be counted',
    model,
    'Take `--from closed-form`, or a folder with one.',
  );
}

async function countAll(
  card: ModelCard,
  form: ClosedForm,
  { batch, dtype: wanted, quiet }: GraphOptions & { readonly batch: number },
): Promise<readonly Counted[]> {
  const dtype = chooseDtype(card, wanted);
  const onNote = quiet === true ? () => undefined : note;
  const folder = await locateModel(card, requiredFiles(card, dtype), process.env, { onNote });
  const graph = card.files[dtype] ?? '';
  const { tokens, sourceTokens } = form.texts;
  const lengths = { tokens, ...(sourceTokens !== undefined && { sourceTokens }) };
  const { matmuls } = forwardFlops({ ...form.request, head: graphHead(form), ...lengths });
  const encoder = encoderOf(graph);
  if (encoder === null || sourceTokens === undefined) {
    return [{ side: '', count: await countGraphFile(join(folder, graph), { batch, tokens }), closed: matmuls }];
  }
  const ofEncoder = ({ name }: Matmul) => name.startsWith('enc.');
  return [
    {
      side: 'encoder ',
      count: await countGraphFile(join(folder, encoder), { batch, tokens: sourceTokens }),
      closed: matmuls.filter(ofEncoder),
    },
    {
      side: 'decoder ',
      count: await countGraphFile(join(folder, graph), { batch, tokens, sourceTokens }),
      closed: matmuls.filter((matmul) => !ofEncoder(matmul)),
    },
  ];
}

/** A graph has no head of two words: it gives logits of the whole vocabulary. */
function graphHead({ request: { head } }: ClosedForm): CostHead {
  return head.kind === 'two-words' ? { kind: 'language-model', positions: 'last' } : head;
}

/** Differences from the head of a whole vocabulary, as differences from one of two words. */
function withTwoWords(
  explained: readonly GraphDifference[],
  { request: { architecture } }: ClosedForm,
  batch: number,
): readonly GraphDifference[] {
  const each = 2 * batch * architecture.hidden;
  const isMissing = ({ op, flops }: GraphDifference) => op === 'lm_head' && flops === -each * architecture.vocabulary;
  if (explained.some(isMissing)) return explained.map((one) => (isMissing(one) ? { ...one, flops: -each * 2 } : one));
  const why = 'the graph takes the logits of the whole vocabulary, the closed form those of two words';
  return [...explained, { op: 'lm_head', flops: each * (architecture.vocabulary - 2), why }];
}

/**
 * The body less the pairs that a causal mask hides, which the closed form knows. Where its products of pairs are not all
 * found in the graph, nobody knows how many of them the graph computes.
 */
function usefulOf({ flops }: ClosedForm, body: number, difference: readonly GraphDifference[]): number | null {
  const hidden = flops.body - flops.causalUseful;
  const isFound = difference.every(({ op }) => !/scores_qk|weights_v/.test(op));
  return hidden === 0 || isFound ? body - hidden : null;
}

function othersOf(counted: readonly Counted[]): GraphCount['others'] {
  const sums = new Map<string, number>();
  for (const { count } of counted) {
    for (const { op, count: times } of count.others) sums.set(op, (sums.get(op) ?? 0) + times);
  }
  return [...sums].map(([op, count]) => ({ op, count })).sort((a, b) => b.count - a.count || byCodePoint(a.op, b.op));
}

/** The closed form's head, as far as the graph has it. */
function headOf(form: ClosedForm, counted: readonly Counted[], difference: readonly GraphDifference[]): number {
  const names = new Set(
    counted.flatMap(({ closed }) => closed.filter(({ part }) => part === 'head').map(({ name }) => name)),
  );
  const unlike = difference.filter(({ op }) => names.has(op)).reduce((sum, { flops }) => sum + flops, 0);
  return form.report.flops.head + unlike;
}

/** By kind of operator, by layer, or by what is multiplied: a graph does not say what a product is for. */
function partsOf(counted: readonly Counted[], by: PartKind): readonly FlopsPart[] {
  const sums = new Map<string, number>();
  for (const { side, count, closed } of counted) {
    const isHead = headsIn(closed);
    for (const node of count.byNode.filter(({ constant }) => !constant)) {
      const name = by !== 'op' && isHead(node) ? 'head' : `${side}${partName(node, by)}`;
      sums.set(name, (sums.get(name) ?? 0) + node.flops);
    }
  }
  return [...sums].map(([name, flops]) => ({ name, flops }));
}

/** Told by the size of its matrix, where no layer has one like it: an exporter may give it the name of a layer. */
function headsIn(closed: readonly Matmul[]): (node: GraphCount['byNode'][number]) => boolean {
  const sizes = (part: Matmul['part']) =>
    new Set(
      closed.flatMap((matmul) => (matmul.part === part && matmul.shape ? [matmul.shape.slice(2).join(' × ')] : [])),
    );
  const [body, head] = [sizes('body'), sizes('head')];
  return ({ weights, shape }) => {
    const size = shape.slice(2).join(' × ');
    return weights && head.has(size) && !body.has(size);
  };
}

function partName({ op, layer, weights }: GraphCount['byNode'][number], by: PartKind): string {
  if (by === 'op') return op;
  if (by === 'layer') return layer === null ? 'outside of the layers' : `layer ${layer}`;
  if (!weights) return 'products of activations';
  return layer === null ? 'weights outside of the layers' : 'weights of the layers';
}
