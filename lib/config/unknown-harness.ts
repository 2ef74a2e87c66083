// What is assumed of a harness that nobody has measured (design 8): of each thing what is safe. A tool, a call
// or a result that such a harness could have lost is not lost; the price is a less direct way to it.

import type { ServingCaps } from './harness-caps.js';

export const unknownHarness: ServingCaps = {
  relists: false,
  drops_root_combinators: true,
  drops_empty_description: true,
  description_limit: null,
  call_limit_s: 60,
  progress_extends: false,
  sends_progress_token: false,
  cancels_after_answers: false,
  passes_images: false,
  passes_environment: false,
  shows_instructions: false,
  naming: { form: 'mcp__{server}__{tool}', replaced: {}, limit: 63 },
};
