// Checks arguments against a tool's registered schema (design 8): here and not in the broker, so that a slow
// regular expression of one app stalls only the agent that called it. Loaded at the first call: ajv is large.

import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { JsonObject } from '../../wire/json.js';
import type { Log } from '../log.js';

/** What is wrong with arguments, each with its JSON path; undefined where nothing is. */
export type Check = (args: JsonObject) => string | undefined;

/** The most problems that are named. */
const maxProblems = 8;

/** Makes a check of a schema. A schema that ajv cannot compile accepts everything, and the log says so. */
export function compileCheck(tool: string, schema: JsonObject, log: Log): Check {
  const { $schema: _draft, ...keywords } = schema;
  let validate: ValidateFunction;
  try {
    validate = compile(keywords);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log(`warning: arguments of ${tool} are not checked: its schema cannot be used (${reason})`);
    return () => undefined;
  }
  return (args) => (validate(args) ? undefined : explain(validate.errors ?? []));
}

function compile(schema: JsonObject): ValidateFunction {
  // Formats are annotations; a registered schema was checked by the broker, so strictness would only refuse
  // what it let in. `$schema` may name any draft: all of the allowed keywords mean the same in each.
  const options = { strict: false, allErrors: true, validateFormats: false, logger: false } as const;
  try {
    return new Ajv(options).compile(schema);
  } catch {
    // JSON Schema wants Unicode patterns; many are written without, where `\\-` is allowed.
    return new Ajv({ ...options, unicodeRegExp: false }).compile(schema);
  }
}

function explain(errors: readonly ErrorObject[]): string {
  const problems = [...new Set(errors.map((error) => `at ${pathOf(error)}: ${reasonOf(error)}`))];
  const more = problems.length - maxProblems;
  return problems.slice(0, maxProblems).join('; ') + (more > 0 ? `; and ${more} more` : '');
}

/** The place in the arguments, written as in JavaScript: `$.items[2].name`. */
function pathOf(error: ErrorObject): string {
  const { missingProperty, additionalProperty } = error.params;
  const last: unknown = missingProperty ?? additionalProperty;
  const parts = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (typeof last === 'string') parts.push(last);
  return `$${parts.map(segment).join('')}`;
}

function segment(part: string): string {
  if (/^\d+$/.test(part)) return `[${part}]`;
  return /^[A-Za-z_$][\w$]*$/.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`;
}

function reasonOf(error: ErrorObject): string {
  switch (error.keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
      return 'is not a known property';
    case 'enum':
      return `must be one of ${JSON.stringify(error.params.allowedValues)}`;
    case 'const':
      return `must be ${JSON.stringify(error.params.allowedValue)}`;
    default:
      return error.message ?? 'is not valid';
  }
}
