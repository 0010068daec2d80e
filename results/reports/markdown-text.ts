import { escape as escapeHtml } from 'html-escaper';
import { printable } from '../../core/errors.js';

/**
 * Text that stands in a Markdown line or table cell as itself: HTML as entities, inline marks and the cell separator
 * by backslash, control characters made visible. What GitHub turns into links and mentions (`http://`, `www.`, `@name`,
 * `#12`) is broken by an entity.
 */
export function markdownText(text: string): string {
  return escapeHtml(printable(text))
    .replace(/(?<!&)#(?=\d)/g, '&#35;')
    .replace(/[\\`*_[\]|~$]/g, '\\$&')
    .replace(/:(?=\/\/)/g, '&#58;')
    .replace(/\b(www)\./gi, '$1&#46;')
    .replace(/(?<![\p{L}\p{N}])@(?=[\p{L}\p{N}])/gu, '&#64;');
}

export function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
