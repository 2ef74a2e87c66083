// Everything that one turn shows, measured on a stand-in of which it is known.

import t from 'tap';
import { measureOneTurn } from '../../../lib/probe/measure/one-turn.js';
import { standIn, valuesOf } from '../../support/stand-in-install.js';

t.test('one turn shows what a harness does', async (t) => {
  const sections = await measureOneTurn(standIn(t));
  const rows: Readonly<Record<string, object>> = {
    handshake: {
      'first message': 'initialize',
      clientInfo: '{"name":"claude-code","version":"9.8.7"}',
      protocolVersion: '2025-11-25',
      capabilities: '{"roots":{}}',
      'progressToken in tools/call': 'yes',
      '_meta of tools/call': 'nothing else',
      'cancels calls that were answered': 'no',
    },
    relisting: { 'same turn': 'yes' },
    results: {
      'image block': 'yes, in the answer of the tool',
      'isError: true': 'ERROR-TEXT (marked as an error)',
      'JSON-RPC error': 'MCP error -32602: RPC-ERROR-TEXT (marked as an error)',
    },
    names: {
      my_tool: 'mcp__leo__my_tool',
      '64 characters': 'kept (74)',
      '128 characters': 'kept (138)',
      dot: 'mcp__leo__with_dot',
      slash: 'mcp__leo__with_slash',
      dash: 'mcp__leo__with-dash',
    },
    schemas: {
      'every tool': 'same',
      'root anyOf': 'tool dropped',
      'root oneOf': 'tool dropped',
      'root allOf': 'tool dropped',
      'nested oneOf': 'same',
      'depth 16': 'same',
      '512 schemas': 'same',
      'no properties': 'same',
      'empty description': 'same',
      'absent description': 'same',
      'description of 5,000': /^description cut from \d+ to 2048 characters, then … \[truncated\]$/,
    },
    environment: {
      'working directory': 'where the harness was started',
      'LEO_AGENT of the harness arrives': 'yes',
      'not passed on': 'nothing',
      'added by the harness': /\bSTAND_IN\b/,
      'substitution in the entry': `$\{LEO_AGENT}`,
      "the entry's own environment": 'added',
    },
    instructions: { 'offered to the model': 'yes', where: 'system.0.text', '5,000 characters': 'whole' },
  };
  t.strictSame(Object.keys(sections).sort(), Object.keys(rows).sort());
  for (const [section, values] of Object.entries(rows)) t.match(valuesOf(sections[section]), values, section);
  for (const [section, figures] of Object.entries(sections))
    for (const [name, { evidence }] of Object.entries(figures)) t.not(evidence, '', `${section}, ${name}`);
});
