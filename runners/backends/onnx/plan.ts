/** Which texts go through the graph together. */
export interface BatchRule {
  /** Says the rule in run.json: results of quantized graphs depend on it. */
  readonly name: string;
  /** Most tokens of one batch, padding included; a longer text goes alone. */
  readonly tokens: number;
  readonly rows: number;
  /** Share by which a row may be shorter than the longest of its batch. */
  readonly slack: number;
  /** Positions that a row is padded to at least, see SessionRequest. */
  readonly leastWidth: 1 | 2;
}

/**
 * Float graphs: small batches of nearly equal length. Measured on two cores: from 512 to 16,384 tokens there is no
 * difference in speed, since ONNX Runtime is as fast at one long text as at many; padding is all that costs.
 */
export const floatRule: BatchRule = {
  name: 'sorted-2048-tokens-slack-10%',
  tokens: 2048,
  rows: 64,
  slack: 0.1,
  leastWidth: 2,
};

/** For a maximum over all positions: rows of one length, so that no position is padding. */
export const fullRule: BatchRule = {
  name: 'equal-lengths-2048-tokens',
  tokens: 2048,
  rows: 64,
  slack: 0,
  leastWidth: 2,
};

/** Dynamic quantization takes the range of the whole batch, padding too: only alone has a text one result. */
export const singleRule: BatchRule = { name: 'one-text', tokens: 1, rows: 1, slack: 0, leastWidth: 1 };

/** Most bytes of one output tensor; logits over a vocabulary are 30,522 floats per token. */
const outputBytes = 96 * 1024 * 1024;

/** The rule with fewer tokens where the output is wide. */
export function ruleFor(rule: BatchRule, outputWidth: number): BatchRule {
  return { ...rule, tokens: Math.max(1, Math.min(rule.tokens, Math.floor(outputBytes / (4 * outputWidth)))) };
}

/**
 * Tokens that a row may be shorter than the longest of its batch. A list of ten candidates has ten lengths, and two small
 * batches cost hardly more than one: what is padded is computed for nothing.
 */
function slackOf(longest: number, share: number): number {
  return share === 0 ? 0 : Math.max(2, Math.floor(longest * share));
}

/**
 * Cuts rows that are sorted by length, longest first, into batches: [from, to) of each. Rows are as wide as the first of
 * their batch.
 */
export function planBatches(
  lengths: readonly number[],
  { tokens, rows, slack }: Pick<BatchRule, 'tokens' | 'rows' | 'slack'>,
): (readonly [number, number])[] {
  const batches: (readonly [number, number])[] = [];
  for (let from = 0; from < lengths.length; ) {
    const fits = Math.max(1, Math.min(rows, Math.floor(tokens / Math.max(1, lengths[from]))));
    const last = Math.min(lengths.length, from + fits);
    let to = from + 1;
    while (to < last && lengths[from] - lengths[to] <= slackOf(lengths[from], slack)) to++;
    batches.push([from, to]);
    from = to;
  }
  return batches;
}
