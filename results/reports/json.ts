import { prettyJson } from '../../core/canonical.js';
import { noArgument, type Plugin } from '../../core/registry.js';
import type { Report } from './report.js';

export const json: Plugin<Report> = {
  name: 'json',
  summary: 'The whole board as one JSON document (schema tenbin/board@1), for programs.',
  bind: (argument) => {
    noArgument('json', argument);
    return { fileName: 'board.json', render: prettyJson };
  },
};
