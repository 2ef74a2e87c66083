// The property list of a launchd agent. Pure.
//
// What must stay true: whoever stops or starts the daemon anew takes no agent away.
//
// - `AbandonProcessGroup`: launchd ends what is left of the daemon's process group with it, unless told otherwise.
// - `KeepAlive` with `SuccessfulExit` false: a crash is started again, a daemon that was told to end is not. launchd
//   cannot tell one exit code from another, so the daemon ends with 0 where no start could help (config/daemon-exit.ts).
// - `ThrottleInterval`: launchd has no start limit, so what crashes again and again does so twice a minute at most.
// - `ProcessType` Interactive: anything less is throttled, and the agents with it.

import type { ServiceDescription } from './description.js';
import { ServiceError } from './service-error.js';

/** What a property list is made of, as far as this one needs it. */
type Value = string | number | boolean | readonly string[] | { readonly [key: string]: string | boolean };

/** @throws {ServiceError} where a path cannot be written into a property list. */
export function launchdAgent(service: ServiceDescription): string {
  const values: Readonly<Record<string, Value>> = {
    Label: service.name,
    ProgramArguments: service.command,
    EnvironmentVariables: service.variables,
    WorkingDirectory: service.folder,
    RunAtLoad: true,
    KeepAlive: { SuccessfulExit: false },
    ThrottleInterval: 30,
    ProcessType: 'Interactive',
    AbandonProcessGroup: true,
    StandardOutPath: service.log,
    StandardErrorPath: service.log,
  };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<!-- Written by `leo service install`, which writes it anew. -->',
    '<plist version="1.0">',
    ...lines(values, ''),
    '</plist>',
    '',
  ].join('\n');
}

function lines(value: Value | Readonly<Record<string, Value>>, indent: string): readonly string[] {
  if (typeof value === 'boolean') return [`${indent}<${value}/>`];
  if (typeof value === 'number') return [`${indent}<integer>${value}</integer>`];
  if (typeof value === 'string') return [`${indent}<string>${escaped(value)}</string>`];
  if (isList(value))
    return [`${indent}<array>`, ...value.flatMap((one) => lines(one, `${indent}  `)), `${indent}</array>`];
  const members = Object.entries(value).flatMap(([key, one]) => [
    `${indent}  <key>${escaped(key)}</key>`,
    ...lines(one, `${indent}  `),
  ]);
  return [`${indent}<dict>`, ...members, `${indent}</dict>`];
}

function isList(value: Value | Readonly<Record<string, Value>>): value is readonly string[] {
  return Array.isArray(value);
}

function escaped(text: string): string {
  if (/[\u0000-\u001f\u007f]/.test(text))
    throw new ServiceError(`a property list cannot hold control characters: ${JSON.stringify(text)}`);
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
