// `tools/call`: Leo's own tools, the apps' by name, and the apps' through the fallback pair (design 8).
//
// Whatever goes wrong with a tool is a tool error, `<code>: <message>`, and never a JSON-RPC error (design 7).

import { failureText } from '../../wire/content.js';
import { requestId } from '../../wire/ids.js';
import { isObject, type JsonObject } from '../../wire/json.js';
import { isDeeperThan, maxJsonDepth } from '../../wire/json-depth.js';
import type { CatalogueTool } from '../../wire/tool.js';
import type { Answer, Asker } from '../calls/caller.js';
import { decodeArguments } from '../calls/decoding.js';
import type { Check } from '../calls/validation.js';
import { Refusal } from '../link/link.js';
import type { Log } from '../log.js';
import type { Session } from '../session.js';
import type { RawContent } from '../stdio/outbound.js';
import { ownTool, ownToolNames } from './own-tools.js';

/** The result of `tools/call`; an app's content stays the JSON that it came as. */
export interface ToolResult {
  readonly content: RawContent | readonly { readonly type: 'text'; readonly text: string }[];
  readonly isError?: true;
}

export interface ToolCallsOptions {
  readonly session: Session;
  readonly log: Log;
  /** What an agent is told to do about a daemon that is not there. */
  readonly remedy: () => string;
}

/** Said to the agent, and to the log. */
const leoHasGone =
  'Leo was updated or removed since this session began, and its old files are gone: start the session anew';

/** How long a new call waits for a link, an autostart included. */
const linkWaitMs = 10_000;

export class ToolCalls {
  readonly #checks = new WeakMap<JsonObject, Check>();

  constructor(private readonly options: ToolCallsOptions) {}

  async call(name: string, args: unknown, asker: Asker): Promise<ToolResult> {
    const { session } = this.options;
    const own = ownTool(name);
    if (own === undefined) return await this.#callApp(name, args, asker);
    if (session.denies(name)) return denied(name);
    const given = decodeArguments(args, own.inputSchema);
    if (given === undefined) return failure('invalid_arguments', 'at $: must be object');
    switch (own.name) {
      case ownToolNames.wait: {
        if (typeof given.id !== 'string') return failure('invalid_arguments', 'at $.id: must be string');
        return answered(await session.caller.wait(requestId(given.id.trim()), asker));
      }
      case ownToolNames.appCall: {
        if (typeof given.tool !== 'string') return failure('invalid_arguments', 'at $.tool: must be string');
        return await this.#callApp(given.tool, given.args, asker);
      }
      case ownToolNames.sendMessage: {
        const { to, text: words } = given;
        if (typeof to !== 'string') return failure('invalid_arguments', 'at $.to: must be string');
        if (typeof words !== 'string') return failure('invalid_arguments', 'at $.text: must be string');
        return (await this.#unreachable(asker)) ?? (await this.#sendMessage(to, words));
      }
      case ownToolNames.appTools:
        return (await this.#unreachable(asker)) ?? text(describe(session.allowed()));
      default:
        return (await this.#unreachable(asker)) ?? (await this.#listAgents());
    }
  }

  async #callApp(name: string, args: unknown, asker: Asker): Promise<ToolResult> {
    const { session } = this.options;
    const unreachable = await this.#unreachable(asker);
    if (unreachable !== undefined) return unreachable;
    if (session.denies(name)) return denied(name);
    const tool = await session.find(name, asker.signal);
    if (tool === undefined) {
      const offered = session.allowed().map((one) => one.name);
      const known =
        offered.length === 0 ? 'no app offers any tool' : `the tools now are: ${offered.join(', ')}`;
      return failure(
        'no_client',
        `no connected app offers ${JSON.stringify(name.slice(0, 100))} now; ${known}`,
      );
    }
    const given = decodeArguments(args, tool.inputSchema);
    if (given === undefined) return failure('invalid_arguments', 'at $: must be object');
    // Before the check: comparing such values overflows the stack.
    if (isDeeperThan(given, maxJsonDepth)) {
      return failure('invalid_arguments', `at $: nests deeper than ${maxJsonDepth} levels`);
    }
    const check = this.#checks.get(tool.inputSchema) ?? (await this.#compile(tool));
    if (check === undefined) return failure('failed', leoHasGone);
    const problem = check(given);
    if (problem !== undefined) return failure('invalid_arguments', problem);
    return answered(await session.caller.call(tool, given, asker));
  }

  /** @returns undefined where Leo's own files are not there any more: an update may put the new ones elsewhere. */
  async #compile(tool: CatalogueTool): Promise<Check | undefined> {
    const validation = await import('../calls/validation.js').catch((error: unknown) => {
      this.options.log(`${leoHasGone}: ${error instanceof Error ? error.message : error}`);
    });
    if (validation === undefined) return undefined;
    const { compileCheck } = validation;
    const check = compileCheck(tool.name, tool.inputSchema, this.options.log);
    this.#checks.set(tool.inputSchema, check);
    return check;
  }

  async #listAgents(): Promise<ToolResult> {
    try {
      return text(JSON.stringify({ agents: await this.options.session.agents() }, null, 2));
    } catch (error) {
      return failure('daemon_unreachable', error instanceof Error ? error.message : String(error));
    }
  }

  async #sendMessage(to: string, words: string): Promise<ToolResult> {
    try {
      const sent = await this.options.session.sendMessage(to, words);
      const agent = isObject(sent) && typeof sent.agent === 'string' ? sent.agent : to;
      return isObject(sent) && sent.submitted === true
        ? text(`${agent} has the message`)
        : text(
            `the message was typed into the prompt of ${agent}, but not seen to be taken: ask whether it came`,
          );
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return failure(error instanceof Refusal ? (error.code ?? 'failed') : 'daemon_unreachable', message);
    }
  }

  /** The failure of a call that found no daemon; undefined once there is a link. */
  async #unreachable(asker: Asker): Promise<ToolResult | undefined> {
    const { session } = this.options;
    const { link } = session;
    if (link.ready) return undefined;
    const waitMs = Math.min(linkWaitMs, session.caller.patienceMs(asker) ?? linkWaitMs);
    if (!link.refused && (await link.whenReady(waitMs, asker.signal))) return undefined;
    return failure(
      'daemon_unreachable',
      `the Leo daemon cannot be reached: ${link.trouble}. ${this.options.remedy()}`,
    );
  }
}

function answered(answer: Answer): ToolResult {
  if (answer.ok === true) return { content: answer.content };
  if (answer.ok === false) return failure(answer.code, answer.message);
  const ask = JSON.stringify({ id: answer.id });
  return text(
    `still waiting: ${answer.id}; call ${ownToolNames.wait} with ${ask} to go on waiting for the result`,
  );
}

function text(words: string): ToolResult {
  return { content: [{ type: 'text', text: words }] };
}

function failure(code: string, message: string): ToolResult {
  return { content: [{ type: 'text', text: failureText(code, message) }], isError: true };
}

function denied(name: string): ToolResult {
  return failure(
    'denied',
    `this agent may not call ${name}; its user decides so in leo.yaml, under deny_tools`,
  );
}

function describe(tools: readonly CatalogueTool[]): string {
  if (tools.length === 0) return 'No connected app offers a tool now.';
  const list = tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    input_schema: inputSchema,
  }));
  return JSON.stringify({ tools: list }, null, 2);
}

/** The name and arguments of a `tools/call`, or undefined where the params hold none. */
export function readCall(params: unknown): { readonly name: string; readonly args: unknown } | undefined {
  if (!isObject(params) || typeof params.name !== 'string') return undefined;
  return { name: params.name, args: params.arguments };
}
