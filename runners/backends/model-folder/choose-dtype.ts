import { TenbinError } from '../../../core/errors.js';
import { type Dtype, dtypes, type ModelCard } from '../../models/card.js';
import { graphNames } from './graph-files.js';

/**
 * The number format to run: the wanted one if the model has it, else fp32, else the only one there. Several without fp32
 * must be chosen from (usage error that lists them), and so must one that is not there.
 */
export function chooseDtype(card: Pick<ModelCard, 'id' | 'files'>, wanted?: string): Dtype {
  const there = dtypes.filter((dtype) => card.files[dtype] !== undefined);
  const [only] = there;
  if (only === undefined) {
    throw new TenbinError('usage', {
      what: 'This model has no ONNX graph',
      value: card.id,
      fix: `Export one and put it into its folder (${graphNames}).`,
    });
  }
  if (wanted !== undefined) {
    const chosen = there.find((dtype) => dtype === wanted);
    if (chosen !== undefined) return chosen;
    throw unavailable(`${card.id} has no graph for the number format`, wanted, there);
  }
  if (there.includes('fp32')) return 'fp32';
  if (there.length === 1) return only;
  throw unavailable('This model has graphs in several number formats and none in fp32', card.id, there);
}

function unavailable(what: string, value: string, there: readonly Dtype[]): TenbinError {
  return new TenbinError('usage', { what, value, fix: `Choose with --dtype: ${there.join(', ')}.` });
}
