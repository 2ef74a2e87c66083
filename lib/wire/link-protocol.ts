// Which versions of the link's protocol an end speaks, and what is said where two ends have none in common. Pure.
//
// Rules:
// - The protocol's version is a whole number, apart from the version of Leo. Two ends that speak the same one work
//   together whatever versions of Leo they are of: an end ignores keys and notifications that it does not know, and
//   answers a request that it does not know with `methodNotFound`. What is added so changes no number.
// - A change that an older end could not follow takes the next number. For one minor version of Leo after it, both
//   ends speak the number before, too.
// - `hello` says the oldest version that the gateway speaks in `protocol`, where every broker looks, and the newest in
//   `protocol_max`, absent where that is the same. The broker answers with the newest that both speak.

import { isObject } from './json.js';

/** A run of versions, both ends included. */
export interface Spoken {
  readonly oldest: number;
  readonly newest: number;
}

/** What this Leo speaks, as gateway and as broker. */
export const spoken: Spoken = { oldest: 1, newest: 1 };

/** What a gateway's `hello` says of it. */
export function saidOf({ oldest, newest }: Spoken): {
  readonly protocol: number;
  readonly protocol_max?: number;
} {
  return newest === oldest ? { protocol: oldest } : { protocol: oldest, protocol_max: newest };
}

/** What the params of a `hello` say; undefined where they name no version. */
export function spokenBy(hello: unknown): Spoken | undefined {
  if (!isObject(hello) || !isVersion(hello.protocol)) return undefined;
  const { protocol: oldest, protocol_max: newest = oldest } = hello;
  return isVersion(newest) && newest >= oldest ? { oldest, newest } : undefined;
}

/** The newest version that both speak; undefined where there is none. */
export function commonProtocol(one: Spoken, other: Spoken): number | undefined {
  const newest = Math.min(one.newest, other.newest);
  return newest >= Math.max(one.oldest, other.oldest) ? newest : undefined;
}

/** One end of a link, for words. */
export interface End {
  /** Of Leo. */
  readonly version: string | undefined;
  readonly spoken: Spoken | undefined;
}

/** Says that two ends have no version in common, which of them is the older, and what to do with that one. */
export function noCommonProtocol(gateway: End, daemon: End): string {
  const what = `the gateway${leo(gateway)} speaks ${inWords(gateway)} of the link's protocol, the daemon${leo(daemon)} ${inWords(daemon)}`;
  if (gateway.spoken === undefined || daemon.spoken === undefined)
    return `${what}; update the older of the two and restart it`;
  return gateway.spoken.newest < daemon.spoken.oldest
    ? `${what}; the gateway is the older: restart the agent's session, and its harness starts the gateway that is installed now`
    : `${what}; the daemon is the older: restart it with \`leo service restart\`, or end it and start it again with \`leo daemon\``;
}

function leo({ version }: End): string {
  return version === undefined ? '' : ` (Leo ${version})`;
}

function inWords({ spoken }: End): string {
  if (spoken === undefined) return 'no known version';
  const { oldest, newest } = spoken;
  return oldest === newest ? `version ${oldest}` : `versions ${oldest} to ${newest}`;
}

function isVersion(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
