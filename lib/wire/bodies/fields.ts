// Fields that more than one body has.

import { clientIdPattern } from '../ids.js';
import type { JsonSchema } from '../json.js';

export const client_id: JsonSchema = {
  type: 'string',
  pattern: clientIdPattern,
  description: 'from the `hello` of the provider stream',
};

export const revision: JsonSchema = {
  type: 'integer',
  minimum: 0,
  description: 'goes up by one with each change',
};

export const empty: JsonSchema = { type: 'object', properties: {}, additionalProperties: false };
