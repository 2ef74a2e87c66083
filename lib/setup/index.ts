// Setting up harnesses: what other parts of Leo use of this folder.

export { applyPlan } from './apply.js';
export { unifiedDiff } from './diff.js';
export { findProgram } from './find-program.js';
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
export { entryText, type FoundEntry, findEntry, planEntry, planRemoval, raisedLimit } from './plan.js';
export { programVersion } from './program-version.js';
export { type Prepared, prepareRemoval, prepareSetup, type Target } from './set-up.js';
export { SetupError } from './setup-error.js';
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
