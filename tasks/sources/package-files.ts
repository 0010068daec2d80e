import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { z } from 'zod';
import { TenbinError } from '../../core/errors.js';
import { byCodePoint } from '../../core/order.js';
import { type InstalledPackage, installCommand } from './packages.js';

export function readPackageText(item: InstalledPackage, path: string): string {
  try {
    return readFileSync(join(item.folder, path), 'utf8');
  } catch (cause) {
    throw unfit(item, path, cause);
  }
}

export function readPackageJson<T>(item: InstalledPackage, path: string, schema: z.ZodType<T>): T {
  const text = readPackageText(item, path);
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw unfit(item, path, cause);
  }
}

/** Loads a module of a package at run time, so that tenbin itself does not depend on it. */
export function loadModule(item: InstalledPackage, path: string): unknown {
  try {
    return createRequire(join(item.folder, 'package.json'))(`./${path}`);
  } catch (cause) {
    throw unfit(item, path, cause);
  }
}

/** A package whose files are not those of the pinned version, or are damaged. */
export function unfit(item: InstalledPackage, path: string, cause: unknown): TenbinError {
  return new TenbinError('damaged', {
    what: `${item.name}@${item.version} does not hold what this source reads`,
    value: path,
    fix: `Install the version that it was made for: \`${installCommand([item.name])}\`.`,
    cause,
  });
}

/** The names in a folder of a package, in code-point order. */
export function listPackageFiles(item: InstalledPackage, folder: string): readonly string[] {
  return list(item, folder, {});
}

/** The paths below a folder of a package, in code-point order, `/` between the parts. */
export function walkPackageFiles(item: InstalledPackage, folder: string): readonly string[] {
  return list(item, folder, { recursive: true });
}

function list(item: InstalledPackage, folder: string, options: { readonly recursive?: true }): readonly string[] {
  try {
    const paths = readdirSync(join(item.folder, folder), { ...options, encoding: 'utf8' });
    return paths.map((path) => path.replaceAll('\\', '/')).sort(byCodePoint);
  } catch (cause) {
    throw unfit(item, folder, cause);
  }
}
