// What opens a link in the browser of whoever sits here. Pure.

export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The command that opens a link; undefined where a browser would not be in front of the person who asked: over ssh, and
 * on a Linux without a desktop.
 */
export function openerFor({ platform, env }: Surroundings): string | undefined {
  if (env.SSH_CONNECTION || env.SSH_TTY) return undefined;
  if (platform === 'darwin') return 'open';
  return env.DISPLAY || env.WAYLAND_DISPLAY ? 'xdg-open' : undefined;
}
