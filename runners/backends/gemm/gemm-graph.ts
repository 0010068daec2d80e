import { message, nested, text, whole } from './protobuf.js';

/** Field numbers of onnx.proto (ONNX IR 8), by message. */
const inModel = { irVersion: 1, producer: 2, graph: 7, opsetImport: 8 } as const;
const inOpset = { version: 2 } as const;
const inGraph = { node: 1, name: 2, input: 11, output: 12 } as const;
const inNode = { input: 1, output: 2, opType: 4, attribute: 5 } as const;
const inAttribute = { name: 1, int: 3, type: 20 } as const;
const inValueInfo = { name: 1, type: 2 } as const;
const [tensorType, elementType, shape, dimension, symbol] = [1, 1, 2, 1, 2];
const float32 = 1;
const intAttribute = 2;

/** queries (m × d) and rows (n × d) in, scores (m × n) = queries · rowsᵀ out; every size is free. */
export function gemmGraph(): Uint8Array {
  const transposeRows = nested(
    inNode.attribute,
    text(inAttribute.name, 'transB'),
    whole(inAttribute.int, 1),
    whole(inAttribute.type, intAttribute),
  );
  const node = nested(
    inGraph.node,
    text(inNode.input, 'queries'),
    text(inNode.input, 'rows'),
    text(inNode.output, 'scores'),
    text(inNode.opType, 'Gemm'),
    transposeRows,
  );
  const graph = nested(
    inModel.graph,
    node,
    text(inGraph.name, 'scores'),
    matrix(inGraph.input, 'queries', ['m', 'd']),
    matrix(inGraph.input, 'rows', ['n', 'd']),
    matrix(inGraph.output, 'scores', ['m', 'n']),
  );
  const opset = nested(inModel.opsetImport, whole(inOpset.version, 17));
  return message([whole(inModel.irVersion, 8), text(inModel.producer, 'tenbin'), graph, opset]);
}

function matrix(field: number, name: string, sizes: readonly string[]): Uint8Array {
  const dimensions = sizes.map((size) => nested(dimension, text(symbol, size)));
  const tensor = nested(tensorType, whole(elementType, float32), nested(shape, ...dimensions));
  return nested(field, text(inValueInfo.name, name), nested(inValueInfo.type, tensor));
}
