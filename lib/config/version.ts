// The version of Leo, put in by the build from package.json.

declare const LEO_VERSION: string;

export const version: string = LEO_VERSION;
