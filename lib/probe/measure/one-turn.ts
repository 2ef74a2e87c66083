// One prompt, one turn, and most of the table: the handshake, re-listing within the turn, results, names, schemas,
// the environment and the instructions.

import { isJsonObject, type JsonObject } from '../../wire/json.js';
import type { Turn } from '../conversation.js';
import { toolName } from '../conversation.js';
import { evidenceOf, type Figure, type Figures, isFromHarness, type Sections } from '../figure.js';
import type { ModelRequest, OfferedTool } from '../model/conversation.js';
import { ProbeError } from '../probe-error.js';
import { type Run, withRun } from '../run.js';
import type { CallAnswer, ToolCall } from '../server/probe-server.js';
import {
  errorTool,
  imageTool,
  myTool,
  namedTools,
  offeredOf,
  type ProbeTool,
  rpcErrorTool,
  secondTool,
  shapedTools,
} from '../server/probe-tools.js';
import { announce } from './announce.js';
import { environmentOf, probeEnvironment } from './environment.js';
import { handshakeOf } from './handshake.js';
import type { Subject } from './subject.js';
import { imageAnswer, imageFigure } from './tools/image.js';
import { changesOf, schemaCell } from './tools/schema-change.js';

const instructions = {
  begin: 'LEO-PROBE-INSTRUCTIONS-BEGIN',
  end: 'LEO-PROBE-INSTRUCTIONS-END',
  length: 5000,
};

export async function measureOneTurn(subject: Subject): Promise<Sections> {
  const listed: ProbeTool[] = [
    ...Object.values(namedTools),
    ...Object.values(shapedTools),
    imageTool,
    errorTool,
    rpcErrorTool,
  ];
  const called: string[] = [];
  return withRun(
    {
      ...subject,
      env: probeEnvironment.harness,
      entryEnv: probeEnvironment.entry,
      content: {
        instructions:
          instructions.begin.padEnd(instructions.length - instructions.end.length, ' .') + instructions.end,
        tools: () => listed.map((tool) => tool.listed),
        call: (call) => {
          called.push(call.name);
          return answer(call);
        },
      },
    },
    async (run) => {
      const harness = run.once('Probe the tools of the server.');
      const first = await run.conversation.next();
      const { figures: results, turn: afterResults } = await measureResults(first);
      const { figures: names, turn: afterNames } = await measureNames(afterResults, called);
      listed.push(secondTool);
      const before = run.trace.now();
      const again = await afterNames.call(needed(afterNames, myTool), { text: 'list_changed' });
      const relisting = sameTurn(run, again, before);
      again.say('Done.');
      await harness.ended;
      return {
        handshake: handshakeOf(run.trace),
        relisting,
        results,
        names,
        schemas: schemasOf(first.request),
        environment: environmentOf(run),
        instructions: instructionsOf(first.request),
      };
    },
  );

  async function answer(call: ToolCall): Promise<CallAnswer> {
    switch (call.name) {
      case imageTool.name:
        return imageAnswer;
      case errorTool.name:
        return { result: { content: [{ type: 'text', text: 'ERROR-TEXT' }], isError: true } };
      case rpcErrorTool.name:
        return { error: { code: -32602, message: 'RPC-ERROR-TEXT' } };
      default:
        if (call.args.text === 'list_changed') await announce(call.connection, subject.patience.relistMs);
        return { result: { content: [{ type: 'text', text: `${call.name} answers` }] } };
    }
  }
}

function needed(turn: Turn, tool: ProbeTool): OfferedTool {
  const offered = offeredOf(turn.request, tool);
  if (offered === undefined) throw new ProbeError(`the harness does not offer ${tool.name} to its model`);
  return offered;
}

async function measureResults(first: Turn): Promise<{ figures: Figures; turn: Turn }> {
  const image = await first.call(needed(first, imageTool));
  const error = await image.call(needed(image, errorTool));
  const rpcError = await error.call(needed(error, rpcErrorTool));
  return {
    turn: rpcError,
    figures: {
      'image block': imageFigure(image.request),
      'isError: true': answerFigure(error.request),
      'JSON-RPC error': answerFigure(rpcError.request),
    },
  };
}

function answerFigure(request: ModelRequest): Figure {
  const answer = request.answers.at(-1);
  const text = answer?.text ?? 'none';
  return {
    value: `${text.slice(0, 200)}${answer?.isError === true ? ' (marked as an error)' : ''}`,
    evidence: `the answer to the model: ${text.slice(0, 400)}`,
  };
}

async function measureNames(
  start: Turn,
  called: readonly string[],
): Promise<{ figures: Figures; turn: Turn }> {
  const figures: Record<string, Figure> = {};
  let turn = start;
  for (const [cell, tool] of Object.entries(namedTools)) {
    const offered = offeredOf(turn.request, tool);
    if (offered === undefined) {
      figures[cell] = { value: 'tool dropped', evidence: 'not among the tools of the model request' };
      continue;
    }
    const before = called.length;
    turn = await turn.call(offered);
    const reached = called[before];
    figures[cell] = {
      value: nameCell(tool.name, offered),
      evidence: `offered as ${toolName(offered)}; called, the server was asked for ${reached ?? 'nothing'}`,
    };
  }
  return { figures, turn };
}

/** How a name came out: as it was with something before it, or as what. */
export function nameCell(name: string, offered: OfferedTool): string {
  const whole = toolName(offered);
  if (!whole.endsWith(name)) return whole;
  return name.length > 40 ? `kept (${whole.length})` : whole;
}

function sameTurn(run: Run, turn: Turn, since: number): Figures {
  const offered = offeredOf(turn.request, secondTool) !== undefined;
  const evidence = evidenceOf(
    run.trace,
    (entry) =>
      entry.at >= since &&
      ((entry.kind === 'to-harness' && isJsonObject(entry.message) && entry.message.method !== undefined) ||
        isFromHarness(entry, 'tools/list') ||
        entry.kind === 'model-asked'),
  );
  return { 'same turn': { value: offered ? 'yes' : 'no', evidence } };
}

function schemasOf(request: ModelRequest): Figures {
  const ordinary = offeredOf(request, myTool);
  const usual = ordinary === undefined ? [] : changesOf(myTool.listed, ordinary);
  const figures: Record<string, Figure> = {
    'every tool': {
      value: usual.length === 0 ? 'same' : usual.join('; '),
      evidence: JSON.stringify(ordinary?.schema ?? null).slice(0, 400),
    },
  };
  for (const [cell, tool] of Object.entries(shapedTools)) {
    const offered = offeredOf(request, tool);
    figures[cell] = {
      value: schemaCell(tool.listed, offered, usual),
      evidence: `offered: ${offered === undefined ? 'nothing' : JSON.stringify({ description: offered.description, schema: offered.schema }).slice(0, 400)}`,
    };
  }
  return figures;
}

function instructionsOf(request: ModelRequest): Figures {
  const body = JSON.stringify(request.body);
  const begins = body.includes(instructions.begin);
  const where = placeOf(request.body, instructions.begin) ?? 'nowhere';
  const begin = body.indexOf(instructions.begin);
  const evidence = begins
    ? `at ${where}: ${body.slice(Math.max(0, begin - 120), begin + 60)}`
    : 'not in the model request';
  return {
    'offered to the model': { value: begins ? 'yes' : 'no', evidence },
    where: { value: begins ? where : '', evidence },
    '5,000 characters': {
      value: !begins ? '' : body.includes(instructions.end) ? 'whole' : `cut: ${cutEnd(body, begin)}`,
      evidence,
    },
  };
}

function cutEnd(body: string, begin: number): string {
  const filled = /^[\w-]+( \.| )*/.exec(body.slice(begin))?.[0] ?? '';
  return `${filled.length} characters, then ${body.slice(begin + filled.length, begin + filled.length + 30)}`;
}

/** Where in a request's body a text stands, as a path of keys. */
function placeOf(value: unknown, text: string, path = ''): string | undefined {
  if (typeof value === 'string') return value.includes(text) ? path : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value as JsonObject)) {
    const found = placeOf(inner, text, path === '' ? key : `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
