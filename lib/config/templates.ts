// The templates of leo.yaml (design 9, 11): what `leo agent spawn` starts. Pure.

import { ConfigError, type YamlFile } from './yaml-file.js';

/** The harnesses that Leo starts; `custom` is any command line. */
export const supervisedHarnesses = [
  'claude-code',
  'codex',
  'opencode',
  'gemini-cli',
  'copilot-cli',
  'qwen-code',
  'custom',
] as const;
export type SupervisedHarness = (typeof supervisedHarnesses)[number];

/** A template's name, which its agents take over (lib/wire/names.ts has theirs). */
export const templateNamePattern = '^[A-Za-z0-9][A-Za-z0-9_-]{0,47}$';

/** What happens when an agent's harness ends by itself. */
export type RestartPolicy = 'never' | 'on-failure';

export interface Template {
  readonly harness: SupervisedHarness;
  /** For `custom`: a shell's command line, or a program with its arguments. */
  readonly command: string | readonly string[] | undefined;
  /** The folder in which the agent works; `~` is the home of the user. */
  readonly workspace: string | undefined;
  /** Given to the harness besides what Leo gives it. */
  readonly args: readonly string[];
  /** Added to the environment of the daemon. */
  readonly env: Readonly<Record<string, string>>;
  /** Denied to the template's agents: names or globs. */
  readonly denyTools: readonly string[];
  readonly restart: RestartPolicy;
}

// No NUL: no argument and no variable can hold one.
const text = { type: 'string', pattern: '^[^\\u0000]*$' };
const filled = { ...text, minLength: 1 };

export const templatesSchema = {
  type: 'object',
  propertyNames: { pattern: templateNamePattern },
  additionalProperties: {
    type: 'object',
    properties: {
      harness: { enum: supervisedHarnesses },
      command: { ...filled, type: ['string', 'array'], items: text, minItems: 1 },
      workspace: filled,
      args: { type: 'array', items: text },
      env: {
        type: 'object',
        propertyNames: { pattern: '^[A-Za-z_][A-Za-z0-9_]*$' },
        // As people write them: PORT: 8080, DEBUG: true.
        additionalProperties: { type: ['string', 'number', 'boolean'], pattern: text.pattern },
      },
      deny_tools: { type: 'array', items: { type: 'string', minLength: 1 } },
      restart: { enum: ['never', 'on-failure'] },
    },
    required: ['harness'],
    additionalProperties: false,
  },
};

export interface WireTemplate {
  readonly harness: SupervisedHarness;
  readonly command?: string | readonly string[];
  readonly workspace?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string | number | boolean>>;
  readonly deny_tools?: readonly string[];
  readonly restart?: RestartPolicy;
}
export type WireTemplates = Readonly<Record<string, WireTemplate>>;

/**
 * What the schema lets through, with defaults.
 *
 * @throws {ConfigError} naming the line, where a command is missing or has no use.
 */
export function templatesOf(
  wire: WireTemplates,
  lineOf: YamlFile<unknown>['lineOf'],
  file: string,
): Readonly<Record<string, Template>> {
  return Object.fromEntries(
    Object.entries(wire).map(([name, template]) => {
      const custom = template.harness === 'custom';
      if (custom !== (template.command !== undefined)) {
        const at = custom ? lineOf('templates', name) : lineOf('templates', name, 'command');
        const what = custom
          ? `templates.${name} has the harness custom: say what to run with \`command\``
          : `templates.${name}.command is for the harness custom; what ${template.harness} is to be given goes into \`args\``;
        throw ConfigError.of(file, [{ line: at, message: what }]);
      }
      return [name, withDefaults(template)];
    }),
  );
}

function withDefaults(wire: WireTemplate): Template {
  return {
    harness: wire.harness,
    command: wire.command,
    workspace: wire.workspace,
    args: wire.args ?? [],
    env: Object.fromEntries(Object.entries(wire.env ?? {}).map(([name, value]) => [name, String(value)])),
    denyTools: wire.deny_tools ?? [],
    restart: wire.restart ?? 'never',
  };
}
