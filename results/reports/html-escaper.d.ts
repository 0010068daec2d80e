/** html-escaper ships no types. */
declare module 'html-escaper' {
  /** Escapes & < > ' and ". */
  function escapeHtml(text: string): string;

  export { escapeHtml as escape };
}
