// The bodies of all routes, for the table of routes alone; everybody else imports from the file that has them.

export * from './agents.js';
export * from './calls.js';
export * from './daemon.js';
export * from './harnesses.js';
export * from './message.js';
export * from './registration.js';
