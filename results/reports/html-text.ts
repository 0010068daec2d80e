import { escape as escapeHtml } from 'html-escaper';

/** Text as HTML that may break where an id has its joints: after `+`, `/`, `,` and `_`. */
export function breakable(text: string): string {
  return escapeHtml(text).replace(/[+/,_]/g, '$&<wbr>');
}

/** What no XML document may hold, escaped or not (XML 1.0, 2.2), becomes U+FFFD. */
export function wellFormed(xml: string): string {
  return xml.replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]|\p{Cs}/gu, '\ufffd');
}
