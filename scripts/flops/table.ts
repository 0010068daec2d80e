import { printable } from '../../core/errors.js';
import { textTable } from '../output.js';
import type { FlopsReport } from './report.js';
import { siText } from './si.js';

/** For people: what was counted, the figures, and the share of each part. */
export function flopsTable(report: FlopsReport): string {
  return [title(report), figures(report), parts(report), ...batch(report), ...difference(report)].join('\n\n');
}

function title({ model, tokens, sourceTokens, generate, cache, head, from }: FlopsReport): string {
  const length =
    sourceTokens === undefined ? `${tokens} tokens` : `source of ${sourceTokens} tokens, decoder prefix of ${tokens}`;
  const generated =
    generate === undefined ? [] : [`${generate} generated`, cache === 'kept' ? 'keys and values kept' : 'nothing kept'];
  return [
    model,
    length,
    ...generated,
    `head: ${head}`,
    from === 'graph' ? 'counted from the graph' : 'closed form',
  ].join(' · ');
}

function figures({ flops, backward }: FlopsReport): string {
  const rows: readonly (readonly [string, number | null])[] = [
    ['body', flops.body],
    ['head', flops.head],
    ['total', flops.total],
    ['useful part of the body', flops.causalUseful],
    ...(backward === undefined
      ? []
      : ([
          ['backward pass, estimated', backward.flops],
          ['training step, estimated', backward.training],
        ] as const)),
  ];
  return textTable(
    ['', 'FLOPs', ''],
    rows.map(([name, value]) => [name, value === null ? '–' : siText(value), value ?? 'not known']),
  );
}

function parts({ parts: all, flops, by }: FlopsReport): string {
  const share = (value: number) => `${((100 * value) / Math.max(1, flops.total)).toFixed(1)} %`;
  return textTable(
    [by, 'FLOPs', 'share'],
    all.map(({ name, flops: value }) => [name, siText(value), share(value)]),
  );
}

function batch({ batch: given }: FlopsReport): readonly string[] {
  if (given === undefined) return [];
  const { texts, size, unpadded, padded, paddingShare } = given;
  return [
    `${texts} texts in batches of ${size}: ${siText(unpadded.total)}FLOPs without padding, ` +
      `${siText(padded.total)}FLOPs with it (${(100 * paddingShare).toFixed(1)} % of them are padding)`,
  ];
}

function difference({ difference: given, atLeast, problems = [], others = [] }: FlopsReport): readonly string[] {
  if (given === undefined) return [];
  const rows = given.map(({ op, flops, why }) => [
    printable(op),
    `${flops < 0 ? '-' : '+'}${siText(Math.abs(flops))}`,
    printable(why),
  ]);
  const kinds = others.map(({ op, count }) => `${printable(op)} ${count}`).join(', ');
  const uncounted = problems.map(({ node, op, why }) => `  ${printable(node)} (${printable(op)}): ${printable(why)}`);
  return [
    rows.length === 0 ? 'The closed form is the same.' : textTable(['unlike the closed form', 'FLOPs', 'why'], rows),
    ...(atLeast === true ? ['Some nodes could not be counted: at least this many FLOPs.', ...uncounted] : []),
    ...(kinds === '' ? [] : [`Not counted: ${kinds}`]),
  ];
}
