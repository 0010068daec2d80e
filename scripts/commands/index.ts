import { registerAudit } from './audit.js';
import { registerBoard } from './board.js';
import { registerBuild } from './build.js';
import { registerCache } from './cache.js';
import type { RegisterCommand } from './command.js';
import { registerCompare } from './compare.js';
import { registerEncode } from './encode.js';
import { registerExport } from './export.js';
import { registerListings } from './listings.js';
import { registerRerank } from './rerank.js';
import { registerRun } from './run.js';
import { registerScore } from './score.js';
import { registerTies } from './ties.js';

/** One file and one line each. */
export const commands: readonly RegisterCommand[] = [
  registerBuild,
  registerAudit,
  registerRun,
  registerExport,
  registerScore,
  registerTies,
  registerCompare,
  registerBoard,
  registerEncode,
  registerRerank,
  registerCache,
  registerListings,
];
