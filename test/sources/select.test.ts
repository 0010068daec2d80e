import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { selectTasks } from '../../tasks/select.js';

const known = [
  ['embedded-en/cwe', 'en', 'security'],
  ['xquad/xquad-ja', 'ja', 'wiki'],
  ['xquad/xquad-pt-br', 'pt-br', 'wiki'],
  ['xquad-mixed/all', 'mul', 'wiki'],
  ['code/cosqa', 'en', 'code'],
].map(([id = '', language = '', domain = '']) => ({ id, suite: id.split('/')[0] ?? '', language, domain }));
const groups = new Map([['small', ['code/cosqa', 'embedded-en/cwe', 'not/built']]]);
const select = (...selectors: string[]): string[] => selectTasks(selectors, known, groups).map(({ id }) => id);
const all = known.map(({ id }) => id);

describe('selectTasks', () => {
  it.each<[string[], string[]]>([
    [[], all],
    [['code/cosqa'], ['code/cosqa']],
    [['xquad'], ['xquad/xquad-ja', 'xquad/xquad-pt-br']],
    [['xquad-*'], ['xquad/xquad-ja', 'xquad/xquad-pt-br', 'xquad-mixed/all']],
    [['*/cwe'], ['embedded-en/cwe']],
    [['{code,xquad}/*'], ['xquad/xquad-ja', 'xquad/xquad-pt-br', 'code/cosqa']],
    [['language:ja'], ['xquad/xquad-ja']],
    [['language:pt'], ['xquad/xquad-pt-br']],
    [['language:PT-BR'], ['xquad/xquad-pt-br']],
    [['domain:code'], ['code/cosqa']],
    [['small'], ['embedded-en/cwe', 'code/cosqa']],
    [
      ['code/cosqa', 'language:ja', 'code'],
      ['xquad/xquad-ja', 'code/cosqa'],
    ],
    [['!language:en'], ['xquad/xquad-ja', 'xquad/xquad-pt-br', 'xquad-mixed/all']],
    [['small', '!*/cwe'], ['code/cosqa']],
    [['!code', 'code'], []],
  ])('%j', (selectors, ids) => {
    expect(select(...selectors)).toEqual(ids);
  });

  it.each([
    ['cwe', 'Did you mean `embedded-en/cwe`?'],
    ['cosqua', 'Did you mean `code/cosqa`?'],
    ['xquad/xquad-jp', 'Did you mean `xquad/xquad-ja`?'],
    ['smal', 'Did you mean `small`?'],
    ['langage:ja', 'Did you mean `language:ja`?'],
    ['language:j', 'Did you mean `language:ja`?'],
    ['domain:', 'No known task is named by the selector: `domain:`'],
    ['!domain:cod', 'Did you mean `domain:code`?'],
    ['zquad-*', '`tenbin tasks` lists all.'],
    ['__proto__', '`tenbin tasks` lists all.'],
    ['', 'No known task'],
    ['!', 'No known task'],
  ])('%s names nothing', (selector, message) => {
    const error = { code: 'unknown-name', message: expect.stringContaining(message) };
    expect(() => select(selector)).toThrow(expect.objectContaining(error));
  });

  it('is a union less what is negated, in the order of what is known', () => {
    const selector = fc.constantFrom(...all, 'xquad', 'small', 'xquad-*', '*/cwe', 'language:en', 'domain:wiki');
    const selectors = fc.array(fc.tuple(selector, fc.boolean()), { maxLength: 6 });
    fc.assert(
      fc.property(selectors, (chosen) => {
        const texts = chosen.map(([text, negated]) => (negated ? `!${text}` : text));
        const union = new Set(chosen.filter(([, negated]) => !negated).flatMap(([text]) => select(text)));
        const less = new Set(chosen.filter(([, negated]) => negated).flatMap(([text]) => select(text)));
        const adds = chosen.some(([, negated]) => !negated);
        expect(select(...texts)).toEqual(all.filter((id) => (!adds || union.has(id)) && !less.has(id)));
      }),
    );
  });
});
