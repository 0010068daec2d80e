/** What a graph is counted for. Sizes are whole numbers from 0 up. */
export interface CountRequest {
  /** Texts (or pairs) in one batch. */
  readonly batch: number;
  /** New positions of each text; of a decoder behind an encoder its own. */
  readonly tokens: number;
  /** Positions that a cache holds already; 0 where none is given. */
  readonly pastTokens?: number;
  /** Positions of the encoder that a decoder reads; `tokens` where none is given. */
  readonly sourceTokens?: number;
  /** Shapes of inputs by name, where the names of the graph's sizes tell too little. */
  readonly inputs?: Readonly<Record<string, readonly number[]>>;
  /** Values of small inputs by name, such as how many logits are kept. */
  readonly values?: Readonly<Record<string, readonly number[]>>;
}

/** [batch, rows, inner, columns] of a product of matrices: 2 · batch · rows · inner · columns FLOPs. */
export type ProductShape = readonly [number, number, number, number];

export interface CountedNode {
  /** Its name in the graph, or its first output's where it has none. */
  readonly node: string;
  /** With the domain in front where it is not ONNX's own: `com.microsoft.Attention`. */
  readonly op: string;
  /** Which product of an operator that holds several: `qkv`, `scores`, `values`, `experts`; else null. */
  readonly part: string | null;
  /** The layer that the names of the node or of its weights tell, or that it gets its input from. */
  readonly layer: number | null;
  readonly shape: ProductShape;
  /** How often it runs: in a loop more than once. */
  readonly times: number;
  readonly flops: number;
  /** One factor is a weight: a constant of the file. */
  readonly weights: boolean;
  /** Depends on constants alone: computed once when the file is loaded, so it is not in the total. */
  readonly constant: boolean;
}

export interface GraphProblem {
  readonly node: string;
  readonly op: string;
  readonly why: string;
}

/** FLOPs of one forward pass, counted node by node; multiply-adds are two, additions of biases none. */
export interface GraphCount {
  /** Of all nodes that are not constant. */
  readonly total: number;
  /** False: `total` is a lower bound, and `problems` say what is missing. */
  readonly exact: boolean;
  readonly byOp: readonly { readonly op: string; readonly count: number; readonly flops: number }[];
  readonly byNode: readonly CountedNode[];
  /** What runs and is not counted, by kind, most frequent first. */
  readonly others: readonly { readonly op: string; readonly count: number }[];
  readonly problems: readonly GraphProblem[];
}

/** A part of the difference between a graph and a closed form; positive where the graph computes more. */
export interface GraphDifference {
  /** A node of the graph, or a matrix of the closed form. */
  readonly op: string;
  readonly flops: number;
  readonly why: string;
}
