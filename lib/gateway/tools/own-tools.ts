// Leo's own tools, and the pair through which a harness that does not re-list reaches the apps' (design 8).

import type { JsonObject } from '../../wire/json.js';

/** A tool as MCP lists it. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

export const ownToolNames = {
  listAgents: 'leo_list_agents',
  sendMessage: 'leo_send_message',
  wait: 'leo_app_wait',
  appTools: 'leo_app_tools',
  appCall: 'leo_app_call',
} as const;

/** Listed for every harness. */
export const sessionTools: readonly ListedTool[] = [
  {
    name: ownToolNames.wait,
    description:
      'Goes on waiting for a call that was answered with "still waiting: <id>", and returns its result. Give that id.',
    inputSchema: {
      type: 'object',
      properties: { id: { type: 'string', description: 'the id after "still waiting:", such as r_Ab12' } },
      required: ['id'],
      additionalProperties: false,
    },
  },
  {
    name: ownToolNames.listAgents,
    description: 'Lists the coding agents that are connected to Leo on this machine, with their harnesses.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  },
  {
    name: ownToolNames.sendMessage,
    description:
      'Types a message into the prompt of another agent and submits it, with your name in front. It reads it as its next turn, and answers, if it does, by a message to you. leo_list_agents lists the agents; only those that Leo has started (kind "supervised") can be messaged, while they wait for a prompt.',
    inputSchema: {
      type: 'object',
      properties: {
        to: { type: 'string', description: 'the name of the agent' },
        text: { type: 'string', description: 'what it is to read; any number of lines, at most 256 KiB' },
      },
      required: ['to', 'text'],
      additionalProperties: false,
    },
  },
];

/** Listed in fallback mode, once an app has ever registered a tool. */
export const fallbackTools: readonly ListedTool[] = [
  {
    name: ownToolNames.appTools,
    description:
      'Lists the tools that connected apps offer right now, with their input schemas. Apps come and go: ask again when a tool is missing.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  },
  {
    name: ownToolNames.appCall,
    description:
      'Calls a tool of a connected app. leo_app_tools lists them and the arguments that each takes.',
    inputSchema: {
      type: 'object',
      properties: {
        tool: { type: 'string', description: 'the name of the tool, as leo_app_tools lists it' },
        args: { type: 'object', description: "the tool's arguments, by its input schema" },
      },
      required: ['tool'],
      additionalProperties: false,
    },
  },
];

const allOwn = new Map([...sessionTools, ...fallbackTools].map((tool) => [tool.name, tool]));

/** One of Leo's own tools, by its exact name. */
export function ownTool(name: string): ListedTool | undefined {
  return allOwn.get(name);
}
