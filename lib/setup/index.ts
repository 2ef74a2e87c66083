// Setting up harnesses: what other parts of Leo use of this folder.

export { applyPlan } from './apply.js';
export {
  entryText,
  type FoundEntry,
  fileOf,
  findEntry,
  planEntry,
  planRemoval,
  raisedLimit,
} from './plan.js';
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
