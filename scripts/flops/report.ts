import { type PartKind, type TextsFlops, type TextsRequest, textsFlops } from '../../runners/cost/batch.js';
import { backwardFlops, type ForwardRequest } from '../../runners/cost/forward.js';
import type { GraphDifference, GraphProblem } from '../../runners/cost/graph/index.js';
import type { FlopsPart } from '../../runners/cost/parts.js';
import { type HeadName, headFor, headText } from './heads.js';
import { type LengthOptions, type Texts, textsOf } from './lengths.js';
import type { FlopsSubject } from './subject.js';

export interface ReportOptions extends LengthOptions {
  readonly generate?: number;
  readonly head?: HeadName;
  readonly by: PartKind;
  /** False for `--no-cache`. */
  readonly cache: boolean;
  readonly backward?: boolean;
}

type Figures = Omit<TextsFlops, 'parts'>;

/** What `tenbin flops` prints (formats.md §11). */
export interface FlopsReport {
  readonly model: string;
  readonly tokens: number;
  readonly sourceTokens?: number;
  readonly generate?: number;
  readonly cache?: 'kept' | 'none';
  readonly from: 'closed-form' | 'graph';
  readonly head: string;
  /** `causalUseful`: null where a graph does not tell which of its products a causal mask covers. */
  readonly flops: Omit<Figures, 'causalUseful'> & { readonly causalUseful: number | null };
  readonly by: PartKind;
  readonly parts: readonly FlopsPart[];
  /** `padded`: with every text of a batch as long as its longest; `paddingShare` of it is padding. */
  readonly batch?: {
    readonly texts: number;
    readonly size: number;
    readonly unpadded: Figures;
    readonly padded: Figures;
    readonly paddingShare: number;
  };
  /** Of a graph: where it differs from the closed form, operators that are not counted, and what could not be. */
  readonly difference?: readonly GraphDifference[];
  readonly atLeast?: boolean;
  readonly problems?: readonly GraphProblem[];
  readonly others?: readonly { readonly op: string; readonly count: number }[];
  /** An estimate for training: twice the forward pass, apart from `flops`; `training` is both. */
  readonly backward?: { readonly flops: number; readonly training: number };
}

export interface ClosedForm {
  readonly report: FlopsReport;
  readonly flops: Figures;
  /** What was counted, but for the lengths. */
  readonly request: Omit<ForwardRequest, 'tokens' | 'sourceTokens'>;
  readonly texts: Texts;
}

/** FLOPs from the closed form. `flops` and `parts` are of the texts without padding. */
export function closedFormReport(subject: FlopsSubject, options: ReportOptions): ClosedForm {
  const { architecture } = subject.cost;
  const { generate, by, cache } = options;
  const texts = textsOf(architecture.kind, options);
  const head = headFor(subject.cost, options);
  const request = {
    architecture,
    head,
    prefix: texts.tokens,
    by,
    places: subject.places,
    ...(generate !== undefined && ({ generate, cache: cache ? 'kept' : 'none' } as const)),
  };
  const { parts, ...flops } = textsFlops(request, texts.unpadded);
  const report: FlopsReport = {
    model: subject.model,
    tokens: texts.tokens,
    ...(texts.sourceTokens !== undefined && { sourceTokens: texts.sourceTokens }),
    ...(generate !== undefined && { generate, cache: cache ? 'kept' : 'none' }),
    from: 'closed-form',
    head: headText(head),
    flops,
    by,
    parts,
    ...batchOf(request, texts, flops),
    ...(options.backward === true && { backward: trainingOf(flops) }),
  };
  return { report, flops, request: { architecture, head }, texts };
}

function batchOf(request: TextsRequest, { batch }: Texts, unpadded: Figures): Pick<FlopsReport, 'batch'> {
  if (batch === undefined) return {};
  const { parts: _, ...padded } = textsFlops(request, batch.padded);
  const paddingShare = 1 - unpadded.total / padded.total;
  return { batch: { texts: batch.texts, size: batch.size, unpadded, padded, paddingShare } };
}

function trainingOf({ total }: Figures) {
  const flops = backwardFlops(total);
  return { flops, training: total + flops };
}
