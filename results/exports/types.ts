import type { QueryId } from '../../core/ids.js';
import type { Plugin } from '../../core/registry.js';
import type { Ranking } from '../../tasks/types.js';

/** A run as it leaves tenbin. */
export interface ExportedRun {
  /** The system's canonical text. */
  readonly system: string;
  readonly rankings: ReadonlyMap<QueryId, Ranking>;
}

/** The file in pieces, so that a run larger than a string can be written. `for await` takes both forms. */
export type Exporter = (run: ExportedRun) => Iterable<string> | AsyncIterable<Uint8Array>;

/** A form that a run is written in for other tools. */
export type ExportFormat = Plugin<Exporter>;
