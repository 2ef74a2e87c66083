// `leo call`: an agent of one call, to try a tool. It checks the arguments by the gateway's own check, parks the
// call, shows how far the app has come, and prints the answer: text on stdout, images as files.

import type { Command } from 'commander';
import { failureText, type Outcome } from '../../wire/content.js';
import { isDenied } from '../../wire/deny.js';
import { isJsonObject, type JsonObject } from '../../wire/json.js';
import { agentNamePattern, foldToolName } from '../../wire/names.js';
import type { WireCatalogueTool } from '../../wire/tool.js';
import { type AgentLink, openAgentLink } from '../agent-link.js';
import { daemonAddress, explainConnection } from '../daemon-client.js';
import { CliError, misuse } from '../failure.js';
import { sayJson } from '../output.js';
import { oneLine } from '../table.js';

interface Options {
  readonly args: string;
  readonly agent: string;
  readonly json?: boolean;
}

export function addCallCommand(program: Command): void {
  program
    .command('call')
    .description('call a tool as an agent would, to try it')
    .argument('<tool>', 'its name, as in: leo tools')
    .option('--args <json>', 'the arguments, a JSON object', '{}')
    .option('--agent <name>', 'the agent to be', 'cli')
    .option('--json', 'print the whole result as JSON')
    .addHelpText(
      'after',
      '\nText goes to stdout, an image into a file whose path is printed. Ctrl-C cancels the call.',
    )
    .action(async (name: string, { args: text, agent, json }: Options) => {
      const args = parseArguments(text);
      if (!new RegExp(agentNamePattern).test(agent)) {
        throw misuse(
          `--agent ${JSON.stringify(agent)}: 1 to 64 characters, no "/" and no control characters`,
        );
      }
      const address = daemonAddress(process.env);
      const link = await openAgentLink(address.socket, agent).catch((error: unknown) => {
        throw explainConnection(error, address);
      });
      try {
        await show(await settle(link, name, args), json === true);
      } finally {
        link.close();
      }
    });
}

function parseArguments(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw misuse(`--args is not JSON: ${error instanceof Error ? error.message : error}`);
  }
  if (!isJsonObject(value)) throw misuse(`--args must be a JSON object, as in --args '{"name": "value"}'`);
  return value;
}

/** Makes the call and waits for its end; what is wrong with it before it is made is a failure like any other. */
async function settle(link: AgentLink, name: string, args: JsonObject): Promise<Outcome> {
  const tool = link.catalogue.tools.find((one) => foldToolName(one.name) === foldToolName(name));
  if (tool === undefined) throw unknownTool(name, link.catalogue.tools);
  if (isDenied(link.denied, tool.name)) {
    return { ok: false, code: 'denied', message: `deny_tools in leo.yaml denies ${tool.name} to this agent` };
  }
  const { compileCheck } = await import('../../gateway/calls/validation.js');
  const check = compileCheck(tool.name, tool.input_schema, (line) => process.stderr.write(`leo: ${line}\n`));
  const problem = check(args);
  if (problem !== undefined) return { ok: false, code: 'invalid_arguments', message: problem };
  const stop = new AbortController();
  const cancel = () => stop.abort();
  process.once('SIGINT', cancel).once('SIGTERM', cancel);
  try {
    return await link.call(tool.name, args, {
      signal: stop.signal,
      onProgress: ({ progress, total, message }) =>
        process.stderr.write(
          `${oneLine(`progress ${progress}${total === undefined ? '' : `/${total}`} ${message ?? ''}`)}\n`,
        ),
    });
  } catch (error) {
    throw new CliError(
      `daemon_unreachable: ${error instanceof Error ? error.message : error}; the call has ended`,
      1,
      {
        cause: error,
      },
    );
  } finally {
    process.off('SIGINT', cancel).off('SIGTERM', cancel);
  }
}

function unknownTool(name: string, tools: readonly WireCatalogueTool[]): CliError {
  if (tools.length === 0) return new CliError(`no tool ${name}: no app offers a tool now`);
  const names = tools.map((tool) => tool.name);
  const shown =
    names.length > 8 ? `${names.slice(0, 8).join(', ')} and ${names.length - 8} more` : names.join(', ');
  return new CliError(`no tool ${name}; there is ${shown}`);
}

async function show(outcome: Outcome, json: boolean): Promise<void> {
  if (!outcome.ok) {
    if (json) sayJson({ ok: false, error: { code: outcome.code, message: outcome.message } });
    throw new CliError(failureText(outcome.code, outcome.message));
  }
  if (json) return sayJson({ ok: true, content: outcome.content });
  const { writeContent } = await import('../content-output.js');
  writeContent(outcome.content);
}
