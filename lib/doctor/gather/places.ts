// The folders and tokens of a home as they lie on the disk. Looks and changes nothing: what the daemon would mend by
// itself is found as it is.

import { readdirSync, statfsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Places } from '../../config/paths.js';
import { PlaceError } from '../../config/place-error.js';
import { readToken } from '../../config/token-file.js';
import type { FolderFacts, TokenFileFacts } from '../facts.js';
import { look } from './look.js';

/** The folders that are to be the user's alone. */
export function foldersOf({ home, state, socketFolder }: Places): readonly FolderFacts[] {
  const folders: (readonly [string, FolderFacts['role']])[] = [
    [home, 'home'],
    [state, 'state'],
  ];
  if (socketFolder !== state) folders.push([socketFolder, 'socket']);
  return folders.map(([path, role]) => {
    const found = look(path);
    if (found === undefined) return { path, role, found: 'missing', mode: 0o700, mine: true };
    return {
      path,
      role,
      found: found.isDirectory() ? 'folder' : 'other',
      mode: found.mode & 0o777,
      mine: found.uid === (process.getuid?.() ?? found.uid),
    };
  });
}

/** What lies in a home, or in its state/, and is another user's. */
export function foreignIn({ home, state }: Places): readonly string[] {
  const mine = process.getuid?.();
  return [home, state]
    .flatMap((folder) => namesIn(folder).map((name) => join(folder, name)))
    .filter((path) => {
      const found = look(path);
      return mine !== undefined && found !== undefined && found.uid !== mine;
    });
}

/** What is left to the user on the disk of a home; null where it cannot be told. */
export function freeBytesAt({ home }: Places): number | null {
  try {
    const { bavail, bsize } = statfsSync(home);
    return bavail * bsize;
  } catch {
    return null; // There is no home yet.
  }
}

/** Every token of a home. */
export function tokensOf(places: Places): readonly TokenFileFacts[] {
  const seen = new Map<string, string>();
  const read = (path: string, role: TokenFileFacts['role'], name: string): TokenFileFacts => ({
    path,
    role,
    name,
    state: stateOf(path, seen),
  });
  const scoped = (folder: string, role: 'client' | 'device') =>
    namesIn(folder)
      .filter((file) => file.endsWith('.token'))
      .map((file) => read(join(folder, file), role, basename(file, '.token')));
  return [
    read(places.apiToken, 'operator', 'operator'),
    read(places.agentToken, 'agent', 'agent'),
    ...scoped(places.clients, 'client'),
    ...scoped(places.devices, 'device'),
  ];
}

function stateOf(path: string, seen: Map<string, string>): TokenFileFacts['state'] {
  try {
    const token = readToken(path);
    if (token === undefined) return { kind: 'missing' };
    const of = seen.get(token);
    if (of !== undefined) return { kind: 'copy', of };
    seen.set(token, path);
    return { kind: 'good' };
  } catch (error) {
    if (error instanceof PlaceError) return { kind: 'bad', why: error.what, mend: error.mend ?? null };
    const why = error instanceof Error ? error.message : String(error);
    return { kind: 'bad', why: `${path} cannot be read: ${why}`, mend: null };
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return []; // There is none, or it is not ours; the latter is said of its home.
  }
}
