import { reasonOf, type TenbinError } from '../core/errors.js';
import { taskId } from '../core/ids.js';
import { sealNanoSet } from '../tasks/nano-files.js';
import { bindSource } from '../tasks/sources/index.js';
import { isIntact, readManifest, sweepNanoSet, writeNanoSet } from '../tasks/store.js';
import type { Manifest, Source } from '../tasks/types.js';
import { hasIdentity, type Identity, identityOf, type TaskToBuild } from './identity.js';
import { makeNanoSet } from './make-nano-set.js';
import { type BuildOptions, checkOptions } from './options.js';
import type { BuildModels } from './pools.js';
import { readCollection } from './read.js';

export interface BuildRequest {
  /** The root of everything written. */
  readonly root: string;
  readonly task: TaskToBuild;
  readonly options?: Partial<BuildOptions>;
  /** Builds even what is current. */
  readonly force?: boolean;
  readonly onStep?: (step: string) => void;
  /** Needed where `options.dense` names a model that is not part of the program. */
  readonly models?: BuildModels;
}

export interface BuildOutcome {
  readonly task: string;
  readonly status: 'built' | 'current' | 'failed';
  /** Of the manifest; absent when the build failed. */
  readonly digest?: string;
  readonly error?: string;
}

/** Makes a source of a SPEC; `onMalformed` takes the lines that a lenient build leaves out. */
export type BindSource = (spec: string, options: { readonly onMalformed?: (error: TenbinError) => void }) => Source;

/** Builds one task, or finds it current. A failure is an outcome, so that one bad task does not end the night. */
export async function buildTask(request: BuildRequest, bind: BindSource = bindSource): Promise<BuildOutcome> {
  const task = request.task.id;
  try {
    return { task, ...(await build(request, bind)) };
  } catch (error) {
    return { task, status: 'failed', error: reasonOf(error) };
  }
}

async function build(request: BuildRequest, bind: BindSource) {
  const { root, task, options: given = {}, force, onStep = () => {}, models } = request;
  const options = checkOptions(given, models?.catalog);
  const malformed = malformedLines();
  const source = bind(task.source, options.leniency === 'lenient' ? { onMalformed: malformed.add } : {});
  const identity = await identityOf(task, source, options, models?.catalog);
  const current = force === true ? null : await currentManifest(root, identity);
  if (current !== null) {
    await sweepNanoSet(root, current);
    return { status: 'current', digest: current.digest } as const;
  }
  onStep('reading');
  const collection = await readCollection(source, { leniency: options.leniency });
  const nano = await makeNanoSet({ identity, collection, malformedLines: malformed.count(), options, onStep, models });
  onStep('writing');
  const sealed = sealNanoSet(nano);
  await writeNanoSet(root, sealed);
  return { status: 'built', digest: sealed.manifest.digest } as const;
}

/** Distinct lines, by the message that names them: a source is read more than once, and gives the same ones each time. */
function malformedLines() {
  const messages = new Set<string>();
  return { add: ({ parts }: TenbinError) => void messages.add(parts.what), count: () => messages.size };
}

/** The manifest of what is there, if building again would change nothing; what is damaged is built anew. */
async function currentManifest(root: string, identity: Identity): Promise<Manifest | null> {
  const id = taskId(`${identity.suite}/${identity.task}`);
  const manifest = await readManifest(root, id).catch(() => null);
  if (manifest === null || !hasIdentity(manifest, identity)) return null;
  return (await isIntact(root, manifest)) ? manifest : null;
}
