import type { Plugin } from '../../../core/registry.js';
import type { Run } from '../../../runners/types.js';
import type { Judgements, Manifest } from '../../../tasks/types.js';
import type { Measure } from '../../types.js';

/** A stored run and what it is scored against. */
export interface ScoredRun {
  readonly run: Run;
  readonly judged: Judgements;
  readonly manifest: Pick<Manifest, 'suite' | 'task' | 'language' | 'digest' | 'counts'>;
}

/** Runs of one system, one for each task. */
export interface ResultsRequest {
  readonly runs: readonly ScoredRun[];
  /** For forms that hold any measure; MTEB's and HAKARI-Bench's have their own. */
  readonly measures: readonly Measure[];
}

export interface ExportedFile {
  /** Relative, of parts that are safe on every file system. */
  readonly path: string;
  readonly text: string;
}

export type ResultsExporter = (request: ResultsRequest) => readonly ExportedFile[];

/** A form that measured results are written in for other programs. */
export type ResultsFormat = Plugin<ResultsExporter>;
