import { describe, expect, it } from 'vitest';
import { bindSource, embeddedSpecs } from '../../tasks/sources/index.js';
import { collect } from './collect.js';

/** Documents, queries and judgements of the embedded sources, at the pinned versions of their packages. */
const golden: Readonly<Record<string, readonly [docs: number, queries: number, qrels: number]>> = {
  'npm:cwe': [964, 2028, 5767],
  'npm:jsfn-lodash': [295, 295, 295],
  'npm:jsfn-ramda': [269, 269, 271],
  'npm:jsfn-date-fns': [238, 238, 240],
  'npm:jsfn-rxjs': [119, 119, 119],
  'npm:jsfn-mathjs': [217, 217, 219],
  'npm:emoji-bn': [1923, 1036, 4181],
  'npm:emoji-da': [1923, 966, 3717],
  'npm:emoji-de': [1923, 1295, 4937],
  'npm:emoji-en': [1923, 1496, 6842],
  'npm:emoji-en-gb': [1923, 1491, 6768],
  'npm:emoji-es': [1923, 813, 3351],
  'npm:emoji-es-mx': [1923, 751, 3182],
  'npm:emoji-et': [1923, 1055, 4414],
  'npm:emoji-fi': [1923, 882, 3786],
  'npm:emoji-fr': [1923, 1198, 4998],
  'npm:emoji-hi': [1923, 1053, 3910],
  'npm:emoji-hu': [1923, 1192, 4818],
  'npm:emoji-it': [1923, 1481, 6124],
  'npm:emoji-ja': [1923, 1005, 3931],
  'npm:emoji-ko': [1923, 1339, 5362],
  'npm:emoji-lt': [1923, 889, 3826],
  'npm:emoji-ms': [1923, 1043, 4454],
  'npm:emoji-nb': [1923, 951, 4019],
  'npm:emoji-nl': [1923, 1251, 5224],
  'npm:emoji-pl': [1923, 1303, 5184],
  'npm:emoji-pt': [1923, 1223, 4911],
  'npm:emoji-ru': [1923, 1412, 5603],
  'npm:emoji-sv': [1923, 743, 2885],
  'npm:emoji-th': [1923, 959, 3853],
  'npm:emoji-uk': [1923, 1211, 4864],
  'npm:emoji-vi': [1923, 900, 3645],
  'npm:emoji-zh': [1923, 1154, 4145],
  'npm:emoji-zh-hant': [1923, 703, 2413],
  'npm:emojix-bn': [1923, 1923, 1923],
  'npm:emojix-da': [1923, 1923, 1923],
  'npm:emojix-de': [1923, 1923, 1923],
  'npm:emojix-es': [1923, 1923, 1923],
  'npm:emojix-es-mx': [1923, 1923, 1923],
  'npm:emojix-et': [1923, 1923, 1923],
  'npm:emojix-fi': [1923, 1923, 1923],
  'npm:emojix-fr': [1923, 1923, 1925],
  'npm:emojix-hi': [1923, 1923, 1923],
  'npm:emojix-hu': [1923, 1923, 1923],
  'npm:emojix-it': [1923, 1923, 1923],
  'npm:emojix-ja': [1923, 1923, 1923],
  'npm:emojix-ko': [1923, 1923, 1923],
  'npm:emojix-lt': [1923, 1923, 1923],
  'npm:emojix-ms': [1923, 1923, 1923],
  'npm:emojix-nb': [1923, 1923, 1923],
  'npm:emojix-nl': [1923, 1923, 1923],
  'npm:emojix-pl': [1923, 1923, 1923],
  'npm:emojix-pt': [1923, 1923, 1923],
  'npm:emojix-ru': [1923, 1923, 1923],
  'npm:emojix-sv': [1923, 1923, 1923],
  'npm:emojix-th': [1923, 1923, 1923],
  'npm:emojix-uk': [1923, 1923, 1923],
  'npm:emojix-vi': [1923, 1923, 1923],
  'npm:emojix-zh': [1923, 1923, 1923],
  'npm:emojix-zh-hant': [1923, 1923, 1923],
  'npm:tsdiag-cs': [2048, 2045, 2051],
  'npm:tsdiag-de': [2048, 2045, 2053],
  'npm:tsdiag-es': [2048, 2045, 2047],
  'npm:tsdiag-fr': [2048, 2045, 2055],
  'npm:tsdiag-it': [2048, 2045, 2045],
  'npm:tsdiag-ja': [2048, 2045, 2049],
  'npm:tsdiag-ko': [2048, 2045, 2055],
  'npm:tsdiag-pl': [2048, 2045, 2051],
  'npm:tsdiag-pt-br': [2048, 2045, 2047],
  'npm:tsdiag-ru': [2048, 2045, 2049],
  'npm:tsdiag-tr': [2048, 2045, 2049],
  'npm:tsdiag-zh-cn': [2048, 2045, 2059],
  'npm:tsdiag-zh-tw': [2048, 2045, 2051],
};

describe('counts of the embedded sources', () => {
  it('stand here for every source', () => {
    expect(Object.keys(golden)).toEqual(embeddedSpecs());
  });

  it.each(Object.entries(golden))('%s', async (spec, counts) => {
    const source = bindSource(spec);
    const [docs, queries, qrels] = [source.docs(), source.queries(), source.qrels()];
    expect([(await collect(docs)).length, (await collect(queries)).length, (await collect(qrels)).length]).toEqual(
      counts,
    );
  });
});
