/** The first paragraph of a doc comment (`/** … *\/` or what is between), before any `@tag`. */
export function leadParagraph(comment: string): string {
  return paragraph(linesOf(comment));
}

/** The first paragraph that stands after `@tag`. */
export function tagParagraph(comment: string, tag: string): string {
  const lines = linesOf(comment);
  const start = lines.findIndex((line) => line === `@${tag}` || line.startsWith(`@${tag} `));
  if (start < 0) return '';
  return paragraph([(lines[start] ?? '').slice(tag.length + 1), ...lines.slice(start + 1)]);
}

function linesOf(comment: string): readonly string[] {
  const body = comment.replace(/^\/?\*+/, '').replace(/\*+\/$/, '');
  return body.split('\n').map((line) => line.replace(/^\s*\*/, '').trim());
}

function paragraph(lines: readonly string[]): string {
  const start = lines.findIndex((line) => line !== '');
  const rest = start < 0 ? [] : lines.slice(start);
  const end = rest.findIndex((line) => line === '' || line.startsWith('@'));
  return plain((end < 0 ? rest : rest.slice(0, end)).join(' '));
}

/** Links become their text: an address in a query is no one's words. */
function plain(text: string): string {
  return text
    .replace(/\{@link(?:code|plain)?\s+(?:[^}|]*\|)?\s*([^}]*?)\s*\}/g, '$1')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\s*\(?(?:\bsee\s+)?https?:\/\/\S+/gi, '')
    .replace(/<\/?[a-z][^>]*>/gi, '')
    .replace(/\s+/g, ' ')
    .trim();
}
