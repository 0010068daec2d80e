import { TenbinError } from '../../core/errors.js';
import type { OpenModel } from '../open-model.js';
import type { ModelAccess, PretrainedModel } from '../system.js';

/** Models that are open, each once, the one used last kept longest. */
export interface OpenModels {
  readonly use: (model: PretrainedModel) => Promise<OpenModel>;
  /** Ends what stands behind services, which tell then what they spent; they cost nothing to open again. */
  readonly closeServices: () => Promise<void>;
  /** Releases every one; a model that is asked for afterwards is opened again. */
  readonly close: () => Promise<void>;
}

interface Slot {
  readonly opened: Promise<OpenModel>;
  bytes: number;
  working: number;
}

/** Opening takes longer than encoding a small task, so models stay open while their weights fit `budgetBytes`. */
export function openModels(access: ModelAccess, budgetBytes: number): OpenModels {
  const slots = new Map<string, Slot>();

  const use = async (model: PretrainedModel): Promise<OpenModel> => {
    const known = slots.get(model.id);
    const slot = known ?? { opened: model.open(access), bytes: 0, working: 0 };
    // Set again, so that the order of the map is the order of use.
    slots.delete(model.id);
    slots.set(model.id, slot);
    try {
      const opened = await slot.opened;
      slot.bytes = opened.modelBytes;
      await evict(slot);
      return counted(opened, slot);
    } catch (error) {
      if (slots.get(model.id) === slot) slots.delete(model.id);
      throw asFailure(error);
    }
  };

  /** The one in hand stays, and so does every one that is working. */
  const evict = async (inHand: Slot): Promise<void> => {
    let bytes = [...slots.values()].reduce((sum, slot) => sum + slot.bytes, 0);
    for (const [id, slot] of slots) {
      if (bytes <= budgetBytes) return;
      if (slot === inHand || slot.working > 0 || slot.bytes === 0) continue;
      slots.delete(id);
      bytes -= slot.bytes;
      await (await slot.opened).close();
    }
  };

  const end = async (which: (slot: Slot) => boolean): Promise<void> => {
    const ended = [...slots].filter(([, slot]) => which(slot));
    for (const [id] of ended) slots.delete(id);
    await Promise.all(ended.map(async ([, { opened }]) => (await opened.catch(() => null))?.close()));
  };
  return {
    use,
    closeServices: () => end(({ bytes, working }) => bytes === 0 && working === 0),
    close: () => end(() => true),
  };
}

/** What a device, a service or a hub refuses is a failure of the run; only a variant or a stage that does not fit is none. */
function asFailure(error: unknown): unknown {
  if (!(error instanceof TenbinError) || error.code !== 'refused') return error;
  return new TenbinError('unavailable', error.parts);
}

/** The model, with its slot told while it works. */
function counted(model: OpenModel, slot: Slot): OpenModel {
  const during =
    <Given extends readonly unknown[], Result>(work: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      slot.working++;
      try {
        return await work(...given);
      } catch (error) {
        throw asFailure(error);
      } finally {
        slot.working--;
      }
    };
  switch (model.kind) {
    case 'encoder':
      return { ...model, encode: during(model.encode) };
    case 'scorer':
      return { ...model, score: during(model.score) };
    case 'ranker':
      return { ...model, rank: during(model.rank) };
  }
}
