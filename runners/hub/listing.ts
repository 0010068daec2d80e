import { z } from 'zod';
import { pathFault } from './names.js';

/** One file of a commit, as the hub lists it and as it was checked. */
export interface HubFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** The digest of its bytes; in hex it is the name of the blob. LFS and xet files have sha256, others git's own. */
  readonly hash: BlobHash;
  /** Git's id of the file, or of the pointer to it. */
  readonly gitOid: string;
  readonly xetHash: string | null;
}

export interface BlobHash {
  readonly algorithm: 'sha256' | 'git-sha1';
  readonly hex: string;
}

export const listingLimits = { files: 100_000, fileBytes: 2 ** 43 } as const;

const size = z.number().int().min(0).max(listingLimits.fileBytes);
const sha1 = z.string().regex(/^[0-9a-f]{40}$/, 'is not a sha1 in hex');
const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'is not a sha256 in hex');
const entrySchema = z.object({
  path: z.string(),
  size,
  oid: sha1,
  lfs: z.object({ oid: sha256, size }).nullish(),
  xetHash: z.string().max(200).nullish(),
});

/** Why a listing is not used: which entry, its name, and what is wrong with it. */
export interface ListingFault {
  readonly at: string;
  readonly why: string;
}

/** The files of a listing, folders left out; or what is wrong. One bad entry spoils it: a hub does not make them by chance. */
export function parseListing(entries: readonly unknown[]): readonly HubFile[] | ListingFault {
  const files: HubFile[] = [];
  for (const [i, entry] of entries.entries()) {
    const { type, path } = Object(entry) as { readonly type?: unknown; readonly path?: unknown };
    if (type !== 'file') continue;
    const at = `entry ${i + 1}, \`${typeof path === 'string' ? path : typeof path}\``;
    const parsed = entrySchema.safeParse(entry);
    if (!parsed.success) return { at, why: issueText(parsed.error) };
    const fault = pathFault(parsed.data.path);
    if (fault !== null) return { at, why: `the path ${fault}` };
    files.push(fileOf(parsed.data));
  }
  return clash(files) ?? files;
}

function fileOf({ path, size, oid, lfs, xetHash }: z.infer<typeof entrySchema>): HubFile {
  const hash: BlobHash = lfs ? { algorithm: 'sha256', hex: lfs.oid } : { algorithm: 'git-sha1', hex: oid };
  return { path, sizeBytes: lfs?.size ?? size, hash, gitOid: oid, xetHash: xetHash ?? null };
}

function issueText(error: z.ZodError): string {
  const [issue] = error.issues;
  return `field \`${issue?.path.join('.') ?? ''}\`: ${issue?.message ?? 'unknown'}`;
}

/** Two files of one name, a file that is also a folder, one digest with two sizes: no git tree has them. */
function clash(files: readonly HubFile[]): ListingFault | null {
  const paths = new Set<string>();
  const sizes = new Map<string, number>();
  for (const { path, hash, sizeBytes } of files) {
    if (paths.has(path)) return { at: `\`${path}\``, why: 'it is listed twice' };
    paths.add(path);
    if ((sizes.get(hash.hex) ?? sizeBytes) !== sizeBytes) return { at: `\`${path}\``, why: 'its digest has two sizes' };
    sizes.set(hash.hex, sizeBytes);
  }
  for (const { path } of files) {
    const parent = parentsOf(path).find((folder) => paths.has(folder));
    if (parent !== undefined) return { at: `\`${path}\``, why: `\`${parent}\` is a file too` };
  }
  return null;
}

function parentsOf(path: string): readonly string[] {
  return [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));
}
