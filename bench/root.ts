/** The repository's root, seen from build/bench. */
export const root = new URL('../../', import.meta.url).pathname;
