import { fileURLToPath } from 'node:url';

/** The repository's root, seen from build/bench. */
export const root = fileURLToPath(new URL('../../', import.meta.url));
