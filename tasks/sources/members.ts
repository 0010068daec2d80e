import { unknownName } from '../../core/suggest.js';

/** The argument of an npm source that wants one of a closed list; a wrong or missing one suggests the nearest. */
export function memberOf<Member extends string>(
  name: string,
  argument: string | undefined,
  members: readonly Member[],
): Member {
  const member = members.find((other) => other === argument);
  if (member !== undefined) return member;
  const spelled = argument === undefined ? `npm:${name}` : `npm:${name}-${argument}`;
  const known = members.map((other) => `npm:${name}-${other}`);
  throw unknownName('source', spelled, known, 'tenbin sources');
}
