import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { leadParagraph, tagParagraph } from '../../tasks/sources/doc-comments.js';
import { statementParser } from '../../tasks/sources/js-statements.js';
import { tsvFields } from '../../tasks/sources/tsv.js';

describe('doc comments', () => {
  const comment = `*
 * Adds {@link Number numbers} and [other things](https://example.org/a), see
 * {@link add}. See https://example.org/b
 *
 * More.
 * @description
 *   Under the
 *   tag.
 * @param a One
 `;

  it('have a first paragraph, in plain words', () => {
    expect(leadParagraph(comment)).toBe('Adds Number numbers and other things, see add.');
    expect(leadParagraph('* @deprecated Use another.')).toBe('');
  });

  it('have paragraphs under their tags', () => {
    expect(tagParagraph(comment, 'description')).toBe('Under the tag.');
    expect(tagParagraph(comment, 'param')).toBe('a One');
    expect(tagParagraph(comment, 'returns')).toBe('');
  });
});

describe('statements', () => {
  const folder = dirname(createRequire(import.meta.url).resolve('acorn/package.json'));
  const acorn = { name: 'acorn', version: '8.19.0', folder } as const;
  const parse = statementParser(acorn, acorn);

  it('have a name, the doc comment before them, and a source without comments', () => {
    const code = `import x from 'y';
/** Lost: something stands between. */
x();
/** Adds. */
export function add(a, b) {
  // plain
  return/* why */a + b; /** inside */

}
/** Constant. */
var text = /*#__PURE__*/make("// no comment");
`;
    expect(parse(code, 'code.js').slice(2)).toEqual([
      {
        name: 'add',
        comment: '* Adds. ',
        commentsInside: ['* inside '],
        source: 'function add(a, b) {\n  return a + b;\n}',
      },
      { name: 'text', comment: '* Constant. ', commentsInside: [], source: 'var text = make("// no comment");' },
    ]);
  });

  it('of a file that is not JavaScript end in one clear error', () => {
    expect(() => parse('let {', 'broken.js')).toThrow(
      /acorn@8\.19\.0 does not hold what this source reads: broken\.js/,
    );
  });
});

describe('tab-separated fields', () => {
  it.each([
    ['a\tb\t1', ['a', 'b', '1']],
    ['a\t\t', ['a', '', '']],
    ['"a\tb"\tc\t1', ['a\tb', 'c', '1']],
    ['"say ""hi"""\tc\t1', ['say "hi"', 'c', '1']],
    ['"open\tc\t1', ['"open', 'c', '1']],
    ['"Weird_Al"_Yankovic\tin"side\t1', ['"Weird_Al"_Yankovic', 'in"side', '1']],
    ['""\t"\t1', ['', '"', '1']],
  ])('%j', (line, fields) => {
    expect(tsvFields(line)).toEqual(fields);
  });
});
