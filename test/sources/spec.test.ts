import { describe, expect, it } from 'vitest';
import { bindSource, embeddedSpecs } from '../../tasks/sources/index.js';

describe('SPEC', () => {
  it.each(embeddedSpecs())('%s is the id of what it binds', (spec) => {
    expect(bindSource(spec).id).toBe(spec);
  });

  it.each([
    ['npm:cwee', 'Did you mean `npm:cwe`?'],
    ['npm:cwe-79', 'Did you mean `npm:cwe`?'],
    ['npm:jsfn', 'Did you mean `npm:jsfn-'],
    ['npm:jsfn-lodahs', 'Did you mean `npm:jsfn-lodash`?'],
    ['npm:emojix-zh-hent', 'Did you mean `npm:emojix-zh-hant`?'],
    ['npm:tsdiag-pt_br', 'Did you mean `npm:tsdiag-pt-br`?'],
    ['cwe', 'Did you mean `npm:cwe`?'],
    ['beer:data', 'Did you mean `beir:`?'],
    ['data/mine', 'For a folder write `beir:data/mine` or `trec:data/mine`.'],
    ['', 'A source is written KIND:NAME'],
    ['__proto__:x', '`tenbin sources` lists all.'],
  ])('%s is refused', (spec, message) => {
    expect(() => bindSource(spec)).toThrow(
      expect.objectContaining({ code: 'unknown-name', message: expect.stringContaining(message) }),
    );
  });

  it.each(['beir:', 'trec:'])('%s wants a folder', (spec) => {
    expect(() => bindSource(spec)).toThrow(expect.objectContaining({ code: 'usage' }));
  });
});
