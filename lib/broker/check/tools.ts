// The check of a registration's tools, whole before any of it counts (design 6).

import { LeoError } from '../../wire/errors.js';
import { isObject, type JsonObject } from '../../wire/json.js';
import { foldToolName, ownToolPrefix, toolNamePattern } from '../../wire/names.js';
import { defaultTimeoutS, maxDescriptionLength, maxTimeoutS, type Tool } from '../../wire/tool.js';
import { inputSchemaFault, step } from './input-schema.js';
import { wellFormed } from './well-formed.js';

const toolKeys = new Set(['name', 'description', 'input_schema', 'timeout_s']);
const namePattern = new RegExp(toolNamePattern);

/**
 * The tools of a registration as the wire brought them.
 *
 * @throws {LeoError} `invalid_tool`, with the place in front: a path from the body's root for what is wrong
 *   with the tool itself, from the schema's root for what is wrong in its `input_schema`.
 */
export function checkedTools(list: readonly unknown[]): readonly Tool[] {
  const names = new Map<string, string>();
  return list.map((value, i) => {
    const tool = checkedTool(value, `$.tools[${i}]`);
    const folded = foldToolName(tool.name);
    const before = names.get(folded);
    if (before !== undefined) {
      const same = before === tool.name ? 'stands in the list twice' : `is the same name as "${before}"`;
      throw invalid(`at $.tools[${i}].name: "${tool.name}" ${same}`);
    }
    names.set(folded, tool.name);
    return tool;
  });
}

function checkedTool(value: unknown, at: string): Tool {
  if (!isObject(value)) throw invalid(`at ${at}: must be an object`);
  const { name, description, input_schema: inputSchema, timeout_s: timeoutS = defaultTimeoutS } = value;
  const unknown = Object.keys(value).find((key) => !toolKeys.has(key));
  if (unknown !== undefined)
    throw invalid(`at ${at}${step(unknown)}: unknown key; a tool has ${[...toolKeys].join(', ')}`);
  if (typeof name !== 'string' || !namePattern.test(name)) {
    throw invalid(`at ${at}.name: must be 1 to 46 letters, digits, _ or -, starting with a letter`);
  }
  if (foldToolName(name).startsWith(ownToolPrefix))
    throw invalid(`at ${at}.name: names starting "leo_" are Leo's own`);
  if (
    description !== undefined &&
    (typeof description !== 'string' || [...description].length > maxDescriptionLength)
  ) {
    throw invalid(`at ${at}.description: must be text of at most ${maxDescriptionLength} characters`);
  }
  if (typeof timeoutS !== 'number' || !Number.isInteger(timeoutS) || timeoutS < 0 || timeoutS > maxTimeoutS) {
    throw invalid(
      `at ${at}.timeout_s: must be a whole number of seconds from 0 (a handoff) to ${maxTimeoutS}`,
    );
  }
  const fault = inputSchemaFault(inputSchema);
  if (fault !== undefined) throw invalid(`${fault} (in the input_schema of ${name})`);
  return {
    name,
    ...(description === undefined ? {} : { description: description.toWellFormed() }),
    inputSchema: wellFormed(inputSchema as JsonObject),
    timeoutS,
  };
}

function invalid(message: string): LeoError {
  return new LeoError('invalid_tool', message);
}
