import type { RegisterCommand } from './command.js';

/** A file of commands that is loaded only when one of them is asked for: each draws in a good part of the product. */
export interface CommandFile {
  readonly names: readonly string[];
  readonly load: () => Promise<RegisterCommand>;
}

/** One file and one line each, in the order of the help. */
export const commands: readonly CommandFile[] = [
  { names: ['build'], load: async () => (await import('./build.js')).registerBuild },
  { names: ['audit'], load: async () => (await import('./audit.js')).registerAudit },
  { names: ['run'], load: async () => (await import('./run.js')).registerRun },
  { names: ['import'], load: async () => (await import('./import.js')).registerImport },
  { names: ['export'], load: async () => (await import('./export.js')).registerExport },
  { names: ['score'], load: async () => (await import('./score.js')).registerScore },
  { names: ['ties'], load: async () => (await import('./ties.js')).registerTies },
  { names: ['compare'], load: async () => (await import('./compare.js')).registerCompare },
  { names: ['gate'], load: async () => (await import('./gate.js')).registerGate },
  { names: ['board'], load: async () => (await import('./board.js')).registerBoard },
  { names: ['pareto'], load: async () => (await import('./pareto.js')).registerPareto },
  { names: ['advise'], load: async () => (await import('./advise.js')).registerAdvise },
  { names: ['latency'], load: async () => (await import('./latency.js')).registerLatency },
  { names: ['flops'], load: async () => (await import('./flops.js')).registerFlops },
  { names: ['candidates'], load: async () => (await import('./candidates.js')).registerCandidates },
  { names: ['replay'], load: async () => (await import('./replay.js')).registerReplay },
  { names: ['encode'], load: async () => (await import('./encode.js')).registerEncode },
  { names: ['rerank'], load: async () => (await import('./rerank.js')).registerRerank },
  { names: ['cache'], load: async () => (await import('./cache.js')).registerCache },
  {
    names: ['tasks', 'systems', 'models', 'measures', 'sources', 'analyzers'],
    load: async () => (await import('./listings.js')).registerListings,
  },
];
