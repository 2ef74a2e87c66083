// What the core is told of leo.yaml.

export interface CoreSettings {
  /** How long a keyed app may be away, in milliseconds (`client_tools.reconnect_grace_s`). */
  readonly reconnectGraceMs: number;
  /** Whether an agent is denied a tool (`deny_tools`). */
  readonly denied: (agent: string, tool: string) => boolean;
}
