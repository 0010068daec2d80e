import type { Plugin } from '../../core/registry.js';
import type { Prepared, Variant } from '../system.js';

/** A variant of vectors of either kind, with one id: one for each text, or one for each token. */
export function vectorVariant(dense: Variant, late: Variant): Variant {
  const chosen = ({ encoding }: Prepared): Variant | null => {
    if (encoding?.kind === 'dense') return dense;
    return encoding?.kind === 'late-interaction' ? late : null;
  };
  const reason = `${dense.id} needs vectors, one for each text or one for each token; this system has none.`;
  return {
    id: dense.id,
    // A corpus in blocks shows its kind only block by block, so both must be able to.
    ...(dense.looksAt === 'documents' && late.looksAt === 'documents' ? { looksAt: 'documents' as const } : {}),
    accepts: (prepared) => {
      const fitting = chosen(prepared);
      return fitting === null ? { reason } : fitting.accepts(prepared);
    },
    // What has no vectors is refused by the dense one, as an error.
    apply: (prepared) => (chosen(prepared) ?? dense).apply(prepared),
  };
}

/** Dense variants that token vectors have too, by id; what `late` gives nothing for stays as it is. */
export function withLate(plugin: Plugin<Variant>, late: (id: string) => Variant | undefined): Plugin<Variant> {
  return {
    ...plugin,
    bind: (argument) => {
      const dense = plugin.bind(argument);
      const other = late(dense.id);
      return other === undefined ? dense : vectorVariant(dense, other);
    },
  };
}
