import { escape as escapeHtml } from 'html-escaper';

/** Text as HTML that may break where an id has its joints: after `+`, `/`, `,` and `_`. */
export function breakable(text: string): string {
  return escapeHtml(text).replace(/[+/,_]/g, '$&<wbr>');
}
