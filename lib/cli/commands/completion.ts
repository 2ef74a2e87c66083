// `leo completion`: what completes `leo` in a shell, and the man page, both made of the same commands as the help.

import { Argument, type Command } from 'commander';
import { placesOf } from '../../config/paths.js';
import type { NameKind } from '../completion/tree.js';
import { nameKinds } from '../completion/tree.js';
import { say } from '../output.js';

const shells = {
  bash: { how: 'source <(leo completion bash)', file: '~/.bashrc' },
  zsh: { how: 'source <(leo completion zsh)', file: '~/.zshrc, after compinit' },
  fish: { how: 'leo completion fish | source', file: '~/.config/fish/config.fish' },
} as const;
type Shell = keyof typeof shells;

/**
 * Makes what adds the command.
 *
 * @param whole gives the program with all its commands.
 */
export function completionOf(whole: () => Promise<Command>): (program: Command) => void {
  return (program) => {
    const completion = program
      .command('completion')
      .description('print what completes leo in bash, zsh or fish');
    for (const shell of Object.keys(shells).filter(isShell)) {
      const { how, file } = shells[shell];
      completion
        .command(shell)
        .description(`print the completion of ${shell}`)
        .addHelpText('after', `\nSwitch it on: ${how}   (in ${file})`)
        .action(async () => {
          process.stdout.write(await scriptOf(shell, await whole()));
        });
    }
    // Not for people: completions ask for names, and the build for the man page.
    completion
      .command('names', { hidden: true })
      .addArgument(new Argument('<kind>').choices(nameKinds))
      .action(async (kind: NameKind) => {
        const { namesOf } = await import('../completion/names.js');
        const names = await namesOf(kind, placesOf(process.env));
        if (names.length > 0) say(...names);
      });
    completion.command('man', { hidden: true }).action(async () => {
      const { manPage } = await import('../man-page.js');
      process.stdout.write(manPage(await whole()));
    });
  };
}

function isShell(name: string): name is Shell {
  return Object.hasOwn(shells, name);
}

async function scriptOf(shell: Shell, program: Command): Promise<string> {
  const [{ commandNodes }, { lookupsOf }] = await Promise.all([
    import('../completion/tree.js'),
    import('../completion/lookup.js'),
  ]);
  const lookups = lookupsOf(commandNodes(program));
  switch (shell) {
    case 'bash':
      return (await import('../completion/bash.js')).bashCompletion(lookups);
    case 'zsh':
      return (await import('../completion/zsh.js')).zshCompletion(lookups);
    case 'fish':
      return (await import('../completion/fish.js')).fishCompletion(lookups);
  }
}
