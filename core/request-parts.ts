/** What a request is made of between the start of its service and its answer, in this order, as it is timed. */
export const requestParts = ['tokenize', 'encode', 'search', 'rescore', 'rerank', 'sort'] as const;
export type RequestPart = (typeof requestParts)[number];
