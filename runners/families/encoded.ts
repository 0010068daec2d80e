import type { BackendOutput, EncodingFamily, Prepared, Texts } from '../system.js';

/** A family of models that turn texts into tensors: how its tensors are checked and searched. */
export interface EncodedFamily {
  readonly id: EncodingFamily;
  /** `model` is the model's id, for errors. */
  readonly prepared: (output: BackendOutput, texts: Texts, model: string) => Prepared;
}
