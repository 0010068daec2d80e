import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { TenbinError } from '../../core/errors.js';
import { tokenFrom } from './token.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where the hub and its cache are. */
export interface HubSettings {
  /** Without a slash at its end, without name and password. */
  readonly endpoint: string;
  /** Absolute: the folder that holds `models--org--name`. */
  readonly cacheFolder: string;
  /** No request leaves this machine. */
  readonly offline: boolean;
  /** How `snapshots/` names its files; `symlink` becomes a copy by itself where the file system has no links. */
  readonly links: 'symlink' | 'copy';
  /** Time for an answer to begin. */
  readonly answerMs: number;
  /** Time for the next bytes of an answer. */
  readonly idleMs: number;
  /** A function, so that settings which are printed or stored show no secret. Read when it is first asked for. */
  readonly token: () => string | null;
}

/**
 * What the environment says, by the rules of Python's huggingface_hub (constants.py and utils/_auth.py of 2.4), so that
 * both libraries share one cache and one login. Left out are its OAuth refresh, OIDC and Colab logins.
 */
export function hubSettings(environment: Environment): HubSettings {
  const expand = (path: string) => expandVariables(expandHome(path, environment), environment);
  const caches = environment.XDG_CACHE_HOME ?? join(expandHome('~', environment), '.cache');
  const home = expand(environment.HF_HOME ?? join(caches, 'huggingface'));
  const cache = environment.HF_HUB_CACHE ?? environment.HUGGINGFACE_HUB_CACHE ?? join(home, 'hub');
  return {
    endpoint: endpointFrom(environment.HF_ENDPOINT),
    cacheFolder: resolve(expand(cache)),
    offline: isTrue(environment.HF_HUB_OFFLINE || environment.TRANSFORMERS_OFFLINE),
    links: isTrue(environment.HF_HUB_DISABLE_SYMLINKS) ? 'copy' : 'symlink',
    answerMs: secondsFrom('HF_HUB_ETAG_TIMEOUT', environment) * 1000,
    idleMs: secondsFrom('HF_HUB_DOWNLOAD_TIMEOUT', environment) * 1000,
    token: isTrue(environment.HF_HUB_DISABLE_IMPLICIT_TOKEN)
      ? () => null
      : tokenFrom(
          environment.HF_TOKEN || environment.HUGGING_FACE_HUB_TOKEN,
          expand(environment.HF_TOKEN_PATH ?? join(home, 'token')),
        ),
  };
}

function isTrue(value: string | undefined): boolean {
  return ['1', 'ON', 'YES', 'TRUE'].includes((value ?? '').toUpperCase());
}

/** Python fails later on for an empty HF_ENDPOINT; here it counts as not set. */
function endpointFrom(value: string | undefined): string {
  const text = (value ?? '').replace(/\/+$/, '') || 'https://huggingface.co';
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '') {
    if (url.username === '' && url.password === '') return text;
    throw new TenbinError('usage', {
      what: 'HF_ENDPOINT holds a name or a password',
      fix: 'Leave them out of the address, and give a token in HF_TOKEN.',
    });
  }
  throw new TenbinError('usage', {
    what: 'HF_ENDPOINT is not the address of a hub',
    value: text,
    fix: 'Give one as in `https://huggingface.co`, or unset it.',
  });
}

function secondsFrom(name: string, environment: Environment): number {
  const text = environment[name]?.trim();
  if (text === undefined || text === '') return 10;
  if (/^\d{1,6}$/.test(text)) return Number(text) || 10;
  throw new TenbinError('usage', {
    what: `${name} is not a number of seconds`,
    value: text,
    fix: 'Give a whole number, or unset it.',
  });
}

/** os.path.expanduser; the home of another user (`~name`) is not looked up. */
function expandHome(path: string, environment: Environment): string {
  if (path !== '~' && !path.startsWith('~/')) return path;
  const home = environment.HOME ?? environment.USERPROFILE ?? homedir();
  return home.replace(/\/+$/, '') + path.slice(1) || '/';
}

/** os.path.expandvars: unknown names stay as they are. */
function expandVariables(path: string, environment: Environment): string {
  return path.replace(/\$(?:(\w+)|\{([^}]*)\})/g, (all, bare: string | undefined, braced: string | undefined) => {
    const name = bare ?? braced ?? '';
    return Object.hasOwn(environment, name) ? (environment[name] ?? all) : all;
  });
}
