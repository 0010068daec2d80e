import { TenbinError } from '../../core/errors.js';
import type { Policy } from '../../results/gate/policy.js';
import { type Stored, systemsIn } from '../sides/stored.js';
import { systemIds } from '../system-names.js';

/** What one side is read from: a file with values of systems, an `out/` folder, or a run file. */
export type Holder =
  | Stored
  | { readonly kind: 'root'; readonly path: string }
  | { readonly kind: 'run'; readonly path: string };

/** What is judged together; ids are null for a run file, which is one system. */
export interface JudgedSystem {
  /** What it is called in the verdict; null where the policy names one system or none. */
  readonly name: string | null;
  readonly baseline: string | null;
  readonly candidate: string | null;
}

interface Holders {
  readonly baseline: Holder;
  readonly candidate: Holder;
}

/** The systems of a policy, each on both sides. */
export async function judgedSystems(
  { system }: Pick<Policy, 'system'>,
  holders: Holders,
): Promise<readonly JudgedSystem[]> {
  if (system === null || typeof system === 'string') return [await onBothSides(null, system, holders)];
  if (isPair(system)) {
    const [baseline, candidate] = [idIn(holders.baseline, system.baseline), idIn(holders.candidate, system.candidate)];
    return [{ name: null, baseline: await baseline, candidate: await candidate }];
  }
  return Promise.all(system.map((text) => onBothSides(text, text, holders)));
}

type Pair = { readonly baseline: string; readonly candidate: string };

/** Array.isArray does not part read-only arrays from others. */
function isPair(system: Pair | readonly string[]): system is Pair {
  return 'baseline' in system;
}

/** Without a name it is the one system that a file holds. */
async function onBothSides(name: string | null, text: string | null, { baseline, candidate }: Holders) {
  const only = text ?? onlyIn(baseline) ?? onlyIn(candidate);
  const [ofBase, ofCandidate] = [text ?? onlyIn(baseline) ?? only, text ?? onlyIn(candidate) ?? only];
  return { name, baseline: await idIn(baseline, ofBase), candidate: await idIn(candidate, ofCandidate) };
}

/** A file may hold systems that this machine does not know, so its own names come first. */
async function idIn(holder: Holder, text: string | null): Promise<string | null> {
  if (holder.kind === 'run') return null;
  if (text === null) throw whichSystem(holder);
  if (holder.kind !== 'root' && systemsIn(holder).includes(text)) return text;
  return (await systemIds([text], holder.kind === 'root' ? holder.path : '.'))[0];
}

function onlyIn(holder: Holder): string | null {
  if (holder.kind === 'run' || holder.kind === 'root') return null;
  const systems = systemsIn(holder);
  return systems.length === 1 ? systems[0] : null;
}

function whichSystem(holder: Holder): TenbinError {
  const [first] = holder.kind === 'run' || holder.kind === 'root' ? [] : systemsIn(holder);
  return new TenbinError('usage', {
    what: 'The policy does not say which system is meant',
    value: holder.path,
    fix: `Add the key \`system\`, such as \`system: ${first ?? 'bm25'}\`.`,
  });
}
