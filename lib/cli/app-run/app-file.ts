// The file of `leo app run`: an app whose tools are commands. Pure: text in, app out, or errors that name the
// line. What a tool's name and schema may be is the daemon's to say; it names the bad place.

import { basename, extname } from 'node:path';
import { ConfigError, parseYamlFile } from '../../config/yaml-file.js';
import type { JsonObject } from '../../wire/json.js';
import { foldToolName, groupNamePattern, toolNamePattern } from '../../wire/names.js';
import { maxDescriptionLength, maxTimeoutS, maxTools } from '../../wire/tool.js';

/** What a command's stdout is. */
export type Output = 'text' | 'image';

/** One tool of the file. */
export interface CommandTool {
  readonly name: string;
  readonly description: string | undefined;
  readonly inputSchema: JsonObject | undefined;
  readonly timeoutS: number | undefined;
  /** The program and its arguments; a command line is run by `sh -c`. */
  readonly argv: readonly string[];
  readonly output: Output;
  /** Relative to the file's folder. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** An app whose tools are commands. */
export interface AppFile {
  readonly group: string;
  readonly tools: readonly CommandTool[];
}

interface WireTool {
  readonly name: string;
  readonly description?: string;
  readonly input_schema?: JsonObject;
  readonly timeout_s?: number;
  readonly command: string | readonly [string, ...string[]];
  readonly output?: Output;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | number | boolean>>;
}
interface WireFile {
  readonly group?: string;
  readonly tools: readonly WireTool[];
}

const schema = {
  type: 'object',
  properties: {
    group: { type: 'string', pattern: groupNamePattern },
    tools: {
      type: 'array',
      minItems: 1,
      maxItems: maxTools,
      items: {
        type: 'object',
        properties: {
          name: { type: 'string', pattern: toolNamePattern },
          description: { type: 'string', maxLength: maxDescriptionLength },
          input_schema: { type: 'object' },
          timeout_s: { type: 'integer', minimum: 0, maximum: maxTimeoutS },
          command: {
            type: ['string', 'array'],
            minLength: 1,
            minItems: 1,
            items: { type: 'string' },
          },
          output: { enum: ['text', 'image'] },
          cwd: { type: 'string', minLength: 1 },
          env: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } },
        },
        required: ['name', 'command'],
        additionalProperties: false,
      },
    },
  },
  required: ['tools'],
  additionalProperties: false,
};

/**
 * Reads the text of an app's file.
 *
 * @param text the file's content.
 * @param path how errors name the file; its name without the ending is the group's default.
 * @throws {ConfigError} with a line for each thing that is wrong.
 */
export function parseAppFile(text: string, path: string): AppFile {
  const { value, lineOf } = parseYamlFile<WireFile>(text, path, schema);
  const group = value.group ?? basename(path, extname(path));
  if (!new RegExp(groupNamePattern).test(group)) {
    throw new ConfigError(`${path} line 1: the file's name is no name for a group; say \`group: NAME\``);
  }
  const seen = new Map<string, number>();
  for (const [index, { name }] of value.tools.entries()) {
    const before = seen.get(foldToolName(name));
    if (before !== undefined) {
      const lines = `line ${lineOf('tools', index, 'name')}: the name "${name}" is taken by the tool of line ${before}`;
      throw new ConfigError(`${path} ${lines}; names must differ in more than case, \`-\` and \`_\``);
    }
    seen.set(foldToolName(name), lineOf('tools', index, 'name'));
  }
  return { group, tools: value.tools.map(decodeTool) };
}

function decodeTool(tool: WireTool): CommandTool {
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: tool.input_schema,
    timeoutS: tool.timeout_s,
    argv: typeof tool.command === 'string' ? ['/bin/sh', '-c', tool.command] : tool.command,
    output: tool.output ?? 'text',
    cwd: tool.cwd ?? '.',
    env: Object.fromEntries(Object.entries(tool.env ?? {}).map(([name, value]) => [name, String(value)])),
  };
}
