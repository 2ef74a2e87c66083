#!/usr/bin/env node
// Picks the gateway or the CLI; nothing else. CommonJS, because a harness waits for the gateway and
// Node starts a CommonJS entry sooner than an ES module; the gateway's path loads no CLI code.
if (process.argv[2] === 'mcp-server') require('../dist/gateway.cjs');
else require('../dist/cli.cjs');
