import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { englishStem } from '../../runners/analyzers/english.js';
import { analyzerFor, analyzers } from '../../runners/analyzers/index.js';
import { snowballLanguages } from '../../runners/analyzers/snowball.js';

/** Every analyzer that can be named: plug-ins that need or take an argument with each or some of theirs. */
const argumentsOf: Readonly<Record<string, readonly string[]>> = {
  snowball: [...snowballLanguages].map((language) => `snowball@${language}`),
  segmenter: ['segmenter', 'segmenter@th', 'segmenter@zh-Hant'],
};
const names = analyzers.plugins.flatMap(({ name }) => argumentsOf[name] ?? [name]);
const terms = (analyzer: string, text: string) => analyzers.bind(analyzer).analyze(text);

const scripts = [
  'naïve cafe\u0301 İstanbul ΟΔΟΣ',
  '東京タワーのTypeScript',
  'हिन्दी में',
  'ภาษาไทย',
  'می\u200cشود مُحَمَّد',
  'don’t XMLHttpRequest_2',
];
const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.constantFrom(...scripts));
/** Any UTF-16 at all, lone surrogates too. */
const hostile = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 30 })
  .map((units) => String.fromCharCode(...units));

describe.each(names)('analyzer law: %s', (name) => {
  const analyzer = analyzers.bind(name);

  it('is named by its id, which gives the same analyzer again, and has a version', () => {
    expect(analyzer.id).toBe(name);
    expect(analyzers.bind(analyzer.id).version).toBe(analyzer.version);
    expect(analyzer.version).toMatch(/unicode \d+/);
  });

  it('gives terms that are not empty, the same each time, for any text', () => {
    fc.assert(
      fc.property(fc.oneof(text, hostile), (any) => {
        const first = analyzer.analyze(any);
        expect(first.every((term) => term.length > 0)).toBe(true);
        expect(analyzer.analyze(any)).toEqual(first);
        expect(analyzers.bind(name).analyze(any)).toEqual(first);
      }),
      { numRuns: 40 },
    );
  });

  it('does not care how a text is composed', () => {
    fc.assert(
      fc.property(text, (any) => {
        expect(analyzer.analyze(any.normalize('NFD'))).toEqual(analyzer.analyze(any.normalize('NFC')));
      }),
      { numRuns: 40 },
    );
  });

  it('reads a text part by part', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(analyzer.analyze(`${a}\n\n${b}`)).toEqual([...analyzer.analyze(a), ...analyzer.analyze(b)]);
      }),
      { numRuns: 40 },
    );
  });

  it('survives names of built-ins, lone surrogates and one very long word', () => {
    expect(analyzer.analyze('')).toEqual([]);
    expect(analyzer.analyze(' \t\n…—!?')).toEqual([]);
    for (const word of ['constructor', '__proto__', 'toString', '\ud800', '\udc00x', '😀']) analyzer.analyze(word);
    for (const letter of ['a', 'ก', '漢', 'ß', '3', '\u0301', '\ud83d']) analyzer.analyze(letter.repeat(100_000));
  });
});

describe('unicode', () => {
  it('keeps combining marks, so that no script is shredded', () => {
    expect(terms('unicode', 'हिन्दी में लिखा')).toEqual(['हिन्दी', 'में', 'लिखा']);
    expect(terms('unicode', 'ภาษาไทย Müller’s _x1')).toEqual(['ภาษาไทย', 'müller', 's', '_x1']);
  });
  it('drops what is invisible in a word, and takes the gap between Persian morphemes as one', () => {
    expect(terms('unicode', 'co\u00adop क्\u200dष مُحَمَّد می\u200cشود')).toEqual(['coop', 'क्ष', 'محمد', 'می', 'شود']);
  });
});

describe('english', () => {
  it('stems, drops stop words and what an apostrophe hangs on them, and keeps single letters', () => {
    expect(terms('english', "The patient's T cells weren’t running; we've vitamin D")).toEqual([
      'patient',
      't',
      'cell',
      'run',
      'vitamin',
      'd',
    ]);
  });
  it('leaves alone what its stemmer would spoil: a 3 is its mark for a consonant y', () => {
    expect(terms('english', 'il3 0003 years')).toEqual(['il3', '0003', 'year']);
  });
});

describe('snowball', () => {
  it.each([
    ['fr', 'les nationalités françaises', ['national', 'français']],
    ['tr', 'İSTANBUL ISIRGAN kitapları', ['istanbul', 'ısırga', 'kitap']],
    ['ru', 'приёма и приема', ['прием', 'прием']],
    ['de', 'der Müller und die Häuser', ['mull', 'haus']],
  ])('knows the ways of %s', (language, sentence, expected) => {
    expect(terms(`snowball@${language}`, sentence)).toEqual(expected);
  });
  it('reads Romanian with commas and with cedillas alike', () => {
    expect(terms('snowball@ro', 'științele țărilor')).toEqual(terms('snowball@ro', 'ştiinţele ţărilor'));
  });
  it('keeps a word that is all suffix', () => {
    for (const language of snowballLanguages) {
      const suffixes = ['em', 'ův', 'ě', 'mi', 'ых', 'er', 'ые', 'ing', 'ات', 'ım', 'ů'];
      for (const word of suffixes) expect(terms(`snowball@${language}`, word)).not.toContain('');
    }
  });
  it.each(['snowball', 'snowball@xx', 'snowball@FR'])('refuses %s and lists what there is', (name) => {
    expect(() => analyzers.bind(name)).toThrow(/Write for example `snowball@fr`; there are ar, ca, /);
  });
});

describe('bigram', () => {
  it('cuts runs of scripts without blanks, and only those', () => {
    expect(terms('bigram', '東京タワーのTypeScript 5.9入門')).toEqual([
      '東京',
      '京タ',
      'タワ',
      'ワー',
      'ーの',
      'typescript',
      '5',
      '9',
      '入門',
    ]);
    expect(terms('bigram', '한국어 문법')).toEqual(['한국', '국어', '문법']);
  });
  it('gives the character itself for a run of one', () => {
    expect(terms('bigram', '犬 と')).toEqual(['犬', 'と']);
  });
  it('takes a Thai, Lao, Khmer or Burmese character with its vowels and marks as one', () => {
    expect(terms('bigram', 'เป็นไทย')).toEqual(['เป็น', 'นไท', 'ไทย']);
    expect(terms('bigram', 'ក្រុម မြန်မာ')).toEqual(['ក្រុម', 'မြန်', 'န်မာ']);
  });
  it('folds other widths of the same characters', () => {
    expect(terms('bigram', 'ＡＢＣ１２３ ｶﾞｷﾞ')).toEqual(['abc123', 'ガギ']);
  });
  it('reads other scripts as unicode does', () => {
    const other = fc.constantFrom('Müller', 'हिन्दी', 'می\u200cشود', 'ΟΔΟΣ', '_x', '42', 'שָׁלוֹם');
    fc.assert(
      fc.property(fc.array(other), (words) => {
        expect(terms('bigram', words.join(' '))).toEqual(terms('unicode', words.join(' ')));
      }),
    );
  });
});

describe('segmenter', () => {
  it('finds words where there are no blanks', () => {
    expect(terms('segmenter@th', 'ภาษาไทยเป็นภาษา')).toEqual(['ภาษา', 'ไทย', 'เป็น', 'ภาษา']);
  });
  it('depends on ICU and says so', () => {
    expect(analyzers.bind('segmenter').version).toContain(`icu ${process.versions.icu}`);
  });
  it.each(['segmenter@!!', 'segmenter@qq'])('refuses %s', (name) => {
    expect(() => analyzers.bind(name)).toThrow('segmenter wants a locale that this Node knows');
  });
});

describe('code', () => {
  it('gives identifiers whole and in parts', () => {
    expect(terms('code', 'parseHTTPHeader2(MAX_VALUE)')).toEqual([
      'parsehttpheader2',
      'pars',
      'http',
      'header',
      '2',
      'max_value',
      'max',
      'valu',
    ]);
    expect(terms('code', 'if (isArray) return xs')).toEqual(['isarray', 'array', 'return', 'xs']);
  });
});

describe('analyzerFor', () => {
  it.each([
    ['en', undefined, undefined, 'english'],
    ['en-gb', 'en', 'medical', 'english'],
    ['pt-br', undefined, undefined, 'snowball@pt'],
    ['de_AT', 'de', undefined, 'snowball@de'],
    ['zh-hant', undefined, undefined, 'bigram'],
    ['ja', 'en', undefined, 'bigram'],
    ['en', 'th', undefined, 'bigram'],
    ['jpn', undefined, undefined, 'bigram'],
    ['fi', 'en', undefined, 'unicode'],
    ['hi', undefined, undefined, 'unicode'],
    ['fa', undefined, undefined, 'unicode'],
    ['und', undefined, undefined, 'bigram'],
    ['mul', undefined, undefined, 'bigram'],
    ['no tag at all', undefined, undefined, 'bigram'],
    ['en', 'en', 'code', 'code'],
    ['zh', undefined, 'code', 'code'],
  ])('%s queries, %s documents, domain %s: %s', (language, documents, domain, expected) => {
    expect(analyzerFor(language, documents, domain).id).toBe(expected);
  });
});

describe('against recorded tokens and stems', () => {
  const golden = (name: string) => readFileSync(new URL(`../golden/${name}`, import.meta.url));
  const tokens = JSON.parse(golden('hakari-tokens.json').toString()) as readonly {
    readonly text: string;
    readonly tokens: readonly string[];
  }[];
  const stems = JSON.parse(gunzipSync(golden('hakari-stems.json.gz')).toString()) as Readonly<
    Record<string, readonly (readonly [word: string, stem: string])[]>
  >;
  const differing = (language: string, stem: (word: string) => string) =>
    stems[language].filter(([word, expected]) => stem(word) !== expected).map(([word]) => word);
  const snowballStem = (language: string) => {
    const analyzer = analyzers.bind(`snowball@${language}`);
    return (word: string) => analyzer.analyze(word)[0] ?? '';
  };

  it('unicode gives HAKARI’s regex tokens, but for an accent that is not composed', () => {
    const others = tokens.filter(({ text, tokens }) => terms('unicode', text).join(' ') !== tokens.join(' '));
    expect(others.map(({ text }) => text)).toEqual(['cafe\u0301 serval']);
  });

  it('english gives Snowball’s stems of 3,000 words, but for three that newer rules changed', () => {
    const withoutMark = differing('english', englishStem).filter((word) => !word.includes('3'));
    expect(withoutMark).toEqual(['geologist', 'neuroradiologist', 'organic']);
  });

  it.each([
    ['arabic', 'ar', ''],
    // The algorithm before 2021: newer ones fold ae and keep -em and -et of more words.
    [
      'german',
      'de',
      '11ungeachtet abrechnungssystem aufbereiteten berechnete cricket elektromagneten entwendeten hoesung huguenot klägerverpflichtet loewenthal margaret startete vorspiegeln zuerkanntem zugemutet übersendet',
    ],
    ['spanish', 'es', ''],
    ['french', 'fr', ''],
    ['russian', 'ru', ''],
  ])('snowball gives the stems of its peer: %s', (language, code, expected) => {
    const isStop = (word: string) => terms(`snowball@${code}`, word).length === 0;
    expect(
      differing(language, snowballStem(code))
        .filter((word) => !isStop(word))
        .join(' '),
    ).toBe(expected);
  });
});
