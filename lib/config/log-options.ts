// What can be said of the daemon's log (lib/broker/log.ts), in leo.yaml and on the command line.

export const logLevels = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];
export const logFormats = ['pretty', 'json'] as const;
export type LogFormat = (typeof logFormats)[number];

/** A log file that is larger is begun anew by the next daemon. */
export const maxLogBytes = 1024 * 1024;
