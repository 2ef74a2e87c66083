// Setting up harnesses: what other parts of Leo use of this folder.

export { applyPlan } from './apply.js';
export { findProgram } from './disk/find-program.js';
export { lastingPath } from './disk/lasting-path.js';
export { programVersion, whatSays } from './disk/program-version.js';
export { harnesses } from './harnesses.js';
export {
  entryWith,
  type Installation,
  leoEntry,
  type Points,
  pointsAt,
  serverName,
  usualLimitS,
} from './leo-entry.js';
export {
  type HarnessLook,
  harnessTable,
  type Knowledge,
  type KnownHarness,
  type LookOptions,
  lookAt,
} from './look.js';
export { entryText, type FoundEntry, findEntry, planEntry, planRemoval, raisedLimit } from './plan.js';
export { type Prepared, prepareRemoval, prepareSetup, type Target } from './set-up.js';
export { SetupError } from './setup-error.js';
export { unifiedDiff } from './text/diff.js';
export {
  type FileChange,
  type HarnessName,
  harnessNames,
  type OwnCommand,
  type Plan,
  type Scope,
  type ServerEntry,
  type Surroundings,
} from './types.js';
