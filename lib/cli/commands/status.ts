// `leo status`: is a daemon there, and what is connected to it.

import type { Command } from 'commander';
import { readAgents, readHealth, readRegistered, readRequests } from '../answers.js';
import { ask, daemonAddress } from '../daemon-client.js';
import { CliError } from '../failure.js';
import { lineWidth, say, sayJson } from '../output.js';
import { duration, table } from '../table.js';

export function addStatusCommand(program: Command): void {
  program
    .command('status')
    .description('show whether a daemon runs, and what is connected to it')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const address = daemonAddress(process.env);
      const { socket, file, places } = address;
      const health = await ask(address, '/health').then(readHealth, (error: unknown) => {
        if (json && error instanceof CliError)
          sayJson({ running: false, home: places.home, socket, error: error.message });
        throw error;
      });
      const [agents, registered, requests] = await Promise.all([
        ask(address, '/api/v1/agents').then(readAgents),
        ask(address, '/api/v1/client-tools').then(readRegistered),
        ask(address, '/api/v1/client-tools/requests?pending=1').then(readRequests),
      ]);
      const apps = new Set(registered.groups.map((group) => group.client_id));
      const away = new Set(
        registered.groups.filter((group) => !group.connected).map((group) => group.client_id),
      );
      const tools = registered.groups.reduce((sum, group) => sum + group.tools.length, 0);
      if (json) {
        sayJson({
          running: true,
          version: health.version,
          pid: file?.pid ?? null,
          uptime_s: health.uptime_s,
          home: places.home,
          socket,
          http: file?.http ?? null,
          agents: agents.agents,
          apps: apps.size,
          apps_away: away.size,
          tools,
          open_calls: requests.requests.length,
        });
        return;
      }
      say(
        `leo ${health.version}, ${file === undefined ? '' : `pid ${file.pid}, `}up ${duration(health.uptime_s)}`,
        `socket      ${socket}`,
        `http        ${file?.http ?? 'not known'}`,
        `apps        ${apps.size}${away.size === 0 ? '' : ` (${away.size} away)`}`,
        `tools       ${tools}`,
        `open calls  ${requests.requests.length}`,
        `agents      ${agents.agents.length}`,
      );
      if (agents.agents.length > 0) {
        const rows = agents.agents.map((agent) => [
          agent.name,
          agent.harness === null ? '-' : `${agent.harness.name} ${agent.harness.version}`,
          agent.mode ?? agent.supervised?.state ?? '-',
          String(agent.sessions),
          duration((Date.now() - Date.parse(agent.started_at)) / 1000),
        ]);
        say('', table(['AGENT', 'HARNESS', 'TOOLS', 'SESSIONS', 'SINCE'], rows, lineWidth()));
      }
      say(
        '',
        tools > 0 ? 'See the tools: leo tools' : 'No app offers a tool yet. Offer one: leo app run FILE.yaml',
      );
    });
}
