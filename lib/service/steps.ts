// What is done to a service, step by step: said before it is done, and by `--dry-run` instead. Pure.

/** A program and its arguments. */
export interface ServiceCommand {
  readonly program: string;
  readonly args: readonly string[];
}

export type Step =
  | { readonly kind: 'write'; readonly path: string; readonly text: string; readonly mode: number }
  | { readonly kind: 'remove'; readonly path: string }
  | {
      readonly kind: 'run';
      readonly command: ServiceCommand;
      /** Whether it may fail: what it is to bring about may be so already. */
      readonly mayFail: boolean;
    }
  /** Ends a process and waits until its daemon answers no more. */
  | { readonly kind: 'end daemon'; readonly pid: number }
  /** Waits until the service's daemon answers no more, and the manager has let go of the service. */
  | { readonly kind: 'wait for the end' };

export const run = (program: string, ...args: readonly string[]): Step => ({
  kind: 'run',
  command: { program, args },
  mayFail: false,
});

export const tryRun = (program: string, ...args: readonly string[]): Step => ({
  kind: 'run',
  command: { program, args },
  mayFail: true,
});

/** The same step, which may fail now. */
export function mayFail(step: Step): Step {
  return step.kind === 'run' ? { ...step, mayFail: true } : step;
}

/** A step in a line, and the text of a file that it writes below it. */
export function stepInWords(step: Step): string {
  switch (step.kind) {
    case 'write':
      return `write ${step.path} (mode 0${step.mode.toString(8)})\n${indented(step.text)}`;
    case 'remove':
      return `remove ${step.path}`;
    case 'run':
      return `run ${commandLine(step.command)}${step.mayFail ? '   (may fail)' : ''}`;
    case 'end daemon':
      return `end the daemon that a gateway has started: kill ${step.pid}`;
    case 'wait for the end':
      return 'wait until the daemon has ended';
  }
}

/** A command as a person would type it. */
export function commandLine({ program, args }: ServiceCommand): string {
  return [program, ...args]
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word)))
    .join(' ');
}

function indented(text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `    ${line}`.trimEnd())
    .join('\n');
}
