/** The largest cut-off among measures, by their canonical names; 0 where none has one. */
export function deepestCutoff(measures: readonly string[]): number {
  return Math.max(0, ...measures.map((name) => Number(/@(\d+)$/.exec(name)?.[1] ?? 0)));
}
