import { z } from 'zod';
import { TenbinError } from '../../core/errors.js';
import { familyNames } from '../../runners/system.js';

const schema = 'tenbin/imported@1';

const importedSchema = z.strictObject({
  schema: z.literal(schema),
  /** `suite/task` as it stands on our board. */
  task: z.string().min(3),
  /** The name under which the system stands on the board. */
  system: z.string().min(1),
  family: z.enum(familyNames),
  /** Who measured it: the format, the file's name without its folder, and the sha256 of its bytes. */
  origin: z.strictObject({ format: z.string(), file: z.string(), digest: z.string().regex(/^[0-9a-f]{64}$/) }),
  /** By canonical measure name: the mean, and over how many queries where the file says so. */
  measures: z.record(z.string(), z.strictObject({ value: z.number(), n: z.number().int().nonnegative().nullable() })),
});

/**
 * Means of one system on one task that another harness measured: no rankings, so neither ties nor intervals. Stored as
 * `out/imported/<suite>/<task>/<folder name of the system>.json`.
 */
export type Imported = z.infer<typeof importedSchema>;

/** Throws `damaged` with the path and the field. */
export function parseImported(value: unknown, path: string): Imported {
  const parsed = importedSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new TenbinError('damaged', {
    what: `This is not an imported result of ${schema} (${z.prettifyError(parsed.error).split('\n').slice(0, 2).join(' ')})`,
    value: path,
    fix: 'Import it again: `tenbin import --help`.',
  });
}
