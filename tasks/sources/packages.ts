import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { z } from 'zod';
import { TenbinError } from '../../core/errors.js';
import type { Need } from './plugin.js';

/** The versions that the expected counts hold for; a test keeps them equal to package.json. */
const pins = {
  acorn: '8.19.0',
  'cwe-sdk': '1.1.19',
  'date-fns': '4.4.0',
  'emojibase-data': '17.0.0',
  lodash: '4.18.1',
  mathjs: '15.2.0',
  ramda: '0.32.0',
  rxjs: '7.8.2',
  typescript: '5.9.3',
} as const;

export type PackageName = keyof typeof pins;

export interface InstalledPackage {
  readonly name: PackageName;
  readonly version: string;
  readonly folder: string;
}

const packageJson = z.object({ version: z.string() });

/** What a package is needed at, and what is there. */
export function need(name: PackageName): Need {
  return { name, version: pins[name], installed: find(name)?.version ?? null };
}

export function installCommand(names: readonly PackageName[]): string {
  return `npm install --save-dev ${names.map((name) => `${name}@${pins[name]}`).join(' ')}`;
}

/** All the packages, or one error that names the command which installs those that are missing. */
export function requirePackages(names: readonly PackageName[]): readonly InstalledPackage[] {
  const found = names.map((name) => find(name));
  const missing = names.filter((_, i) => found[i] === undefined);
  if (missing.length === 0) return found.filter((item) => item !== undefined);
  throw new TenbinError('missing', {
    what: 'The data of this source is not installed',
    value: missing.join(', '),
    fix: `Run \`${installCommand(missing)}\` in your project.`,
  });
}

/** `package@version` of each: all that an npm source's content depends on. */
export function revisionOf(packages: readonly InstalledPackage[]): string {
  return packages.map(({ name, version }) => `${name}@${version}`).join(' ');
}

/** The pinned version if it is anywhere in reach, else the first one: the user's project comes before tenbin. */
function find(name: PackageName): InstalledPackage | undefined {
  const found = places(name).flatMap((folder) => {
    const version = versionIn(folder);
    return version === undefined ? [] : [{ name, version, folder }];
  });
  return found.find((item) => item.version === pins[name]) ?? found[0];
}

/** Every `node_modules/<name>` above the working directory, then above this file. Some packages export no package.json. */
function places(name: PackageName): readonly string[] {
  return [join(process.cwd(), 'package.json'), import.meta.url]
    .flatMap((from) => createRequire(from).resolve.paths(name) ?? [])
    .map((folder) => join(folder, name));
}

/** A package.json that cannot be read counts as none: to install the package again is what mends it. */
function versionIn(folder: string): string | undefined {
  const path = join(folder, 'package.json');
  if (!existsSync(path)) return undefined;
  try {
    return packageJson.parse(JSON.parse(readFileSync(path, 'utf8'))).version;
  } catch {
    return undefined;
  }
}
