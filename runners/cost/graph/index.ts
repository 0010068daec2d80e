/** FLOPs of a model, counted from its ONNX file. */
export { countGraph } from './count.js';
export { explain } from './explain.js';
export type { CountedNode, CountRequest, GraphCount, GraphDifference, GraphProblem, ProductShape } from './types.js';
