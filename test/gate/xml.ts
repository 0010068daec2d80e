/** What is wrong with a text as XML 1.0 without a DTD, entities but the five, comments and CDATA; null where nothing is. */
export function xmlFault(text: string): string | null {
  const declared = /^<\?xml version="1\.0" encoding="UTF-8"\?>\n/.exec(text);
  if (declared === null) return 'no declaration';
  // The code points that XML 1.0 section 2.2 allows.
  if (!/^[\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]*$/u.test(text)) return 'a forbidden character';
  const open: string[] = [];
  let roots = 0;
  let rest = text.slice(declared[0].length);
  while (rest !== '') {
    const token = tokenOf(rest);
    if (token === null) return `broken at ${rest.slice(0, 60)}`;
    rest = rest.slice(token.length);
    const [, slash, name, attributes, empty] = tag.exec(token) ?? [];
    if (name === undefined) {
      if (open.length === 0 && token.trim() !== '') return 'text outside the root';
    } else if (slash !== undefined && slash !== '') {
      if (open.pop() !== name) return `</${name}> closes another`;
    } else {
      const names = [...(attributes ?? '').matchAll(/\s([\w.-]+)=/g)].map(([, key]) => key);
      if (new Set(names).size !== names.length) return `an attribute of ${name} is there twice`;
      if (open.length === 0) roots++;
      if (empty !== '/') open.push(name);
    }
  }
  return open.length === 0 && roots === 1 ? null : `${roots} roots, ${open.length} open`;
}

const reference = '&(?:amp|lt|gt|quot|apos|#\\d+);';
const attribute = `\\s[\\w.-]+="(?:[^<&"]|${reference})*"`;
const tag = new RegExp(`^<(/?)([\\w.-]+)((?:${attribute})*)\\s*(/?)>`);
const words = new RegExp(`^(?:[^<&]|${reference})+`);

function tokenOf(rest: string): string | null {
  return (rest.startsWith('<') ? tag.exec(rest) : words.exec(rest))?.[0] ?? null;
}
