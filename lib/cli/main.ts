// `leo`: picks the command and runs it. A command's file is loaded when the command is named, or when the help
// of all of them is wanted, so that `leo status` pays for nothing but itself.

import { Command, CommanderError } from 'commander';
import { version } from '../config/version.js';
import { CliError } from './failure.js';

/** Adds one command to the program, with its description, its options and what it does. */
type Add = (program: Command) => void;

/** Every command by its name, in the order of the help. */
const commands: ReadonlyMap<string, () => Promise<Add>> = new Map(
  Object.entries({
    daemon: async () => (await import('./commands/daemon.js')).addDaemonCommand,
    'mcp-server': async () => (await import('./commands/mcp-server.js')).addMcpServerCommand,
    status: async () => (await import('./commands/status.js')).addStatusCommand,
    tools: async () => (await import('./commands/tools.js')).addToolsCommand,
    calls: async () => (await import('./commands/calls.js')).addCallsCommand,
    call: async () => (await import('./commands/call.js')).addCallCommand,
    agent: async () => (await import('./commands/agent.js')).addAgentCommand,
    web: async () => (await import('./commands/web.js')).addWebCommand,
    harness: async () => (await import('./commands/harness.js')).addHarnessCommand,
    app: async () => (await import('./commands/app.js')).addAppCommand,
    client: async () => (await import('./commands/client.js')).addClientCommand,
    device: async () => (await import('./commands/device.js')).addDeviceCommand,
    reload: async () => (await import('./commands/reload.js')).addReloadCommand,
    service: async () => (await import('./commands/service.js')).addServiceCommand,
    logs: async () => (await import('./commands/logs.js')).addLogsCommand,
    doctor: async () => (await import('./commands/doctor.js')).addDoctorCommand,
    validate: async () => (await import('./commands/validate.js')).addValidateCommand,
    completion: async () => (await import('./commands/completion.js')).completionOf(wholeProgram),
    events: async () => (await import('./commands/events.js')).addEventsCommand,
  }),
);

function bareProgram(): Command {
  return new Command('leo')
    .description('Apps lend their abilities to coding agents: a local relay from app tools to MCP harnesses.')
    .version(version, '--version', 'print the version')
    .helpOption('--help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .exitOverride()
    .addHelpText('after', '\nStart here: leo daemon   (and in another terminal: leo status)');
}

/** The program with every command. */
async function wholeProgram(): Promise<Command> {
  const program = bareProgram();
  for (const load of commands.values()) (await load())(program);
  return program;
}

async function main(args: readonly string[]): Promise<number> {
  const named = commands.get(args[0] ?? '');
  const program = named === undefined ? await wholeProgram() : bareProgram();
  if (named !== undefined) (await named())(program);
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has said in words what was wrong; help and the version end here too, with exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof CliError)) throw error;
    process.stderr.write(`leo: ${error.message}\n`);
    return error.exitCode;
  }
}

// A reader that has seen enough (`leo calls | head`) is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});
void main(process.argv.slice(2)).then((code) => {
  // Not process.exit: what stdout still holds is written first. A command may have set its own code.
  if (code !== 0) process.exitCode = code;
});
