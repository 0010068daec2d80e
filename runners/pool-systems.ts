/** Frozen pools that stand on a board as they are, or first in a pipeline: `hybrid > lsa@256@100`. */
export const poolSystems = [
  { id: 'hybrid', pool: 'hybrid', forced: 'with', summary: 'the frozen RRF pool as built, safeguard rows included' },
  { id: 'hybrid@unforced', pool: 'hybrid', forced: 'without', summary: 'the frozen RRF pool without safeguard rows' },
  { id: 'dense', pool: 'dense', forced: 'with', summary: 'the frozen pool of the reference dense model' },
] as const;
