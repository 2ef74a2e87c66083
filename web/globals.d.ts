// What the build puts in place.

declare module '*.css';
/** Leo's version when the page was built. */
declare const LEO_VERSION: string;
