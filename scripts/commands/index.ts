import type { Command } from 'commander';
import { registerAudit } from './audit.js';
import { registerBoard } from './board.js';
import { registerBuild } from './build.js';
import { registerExport } from './export.js';
import { registerListings } from './listings.js';
import { registerRun } from './run.js';
import { registerScore } from './score.js';

/** Adds a command to the program; its action hands its exit code to `onExit`. */
export type RegisterCommand = (program: Command, onExit: (code: number) => void) => void;

/** One file and one line each. */
export const commands: readonly RegisterCommand[] = [
  registerBuild,
  registerAudit,
  registerRun,
  registerExport,
  registerScore,
  registerBoard,
  registerListings,
];
