// What the page knows: the words of this folder. Everything here can be sent from tab to tab as it is.

import type { ToolMode } from '../../lib/wire/bodies/agents.js';
import type { JsonObject } from '../../lib/wire/json.js';
import type { WireTool } from '../../lib/wire/tool.js';

export interface Agent {
  readonly name: string;
  readonly kind: 'attached' | 'supervised';
  /** Its name and version, as it says them; undefined until it has. */
  readonly harness: string | undefined;
  /** Undefined while it has no session. */
  readonly mode: ToolMode | undefined;
  /** Epoch milliseconds. */
  readonly since: number;
  /** What Leo knows of one that it has started. */
  readonly supervised:
    | { readonly harness: string; readonly state: string; readonly detail: string | undefined }
    | undefined;
}

/** The tools that one app offers under one name. */
export interface Group {
  readonly group: string;
  readonly client_id: string;
  readonly connected: boolean;
  readonly tools: readonly WireTool[];
}

export interface OpenCall {
  readonly id: string;
  /** Empty until the daemon has been asked: a watcher's events hold no more than the id. */
  readonly agent: string;
  readonly group: string;
  readonly tool: string;
  readonly state: 'parked' | 'claimed';
  readonly claimedBy: string | undefined;
  /** Epoch milliseconds. */
  readonly since: number;
  /** Epoch milliseconds; undefined for a handoff. */
  readonly deadline: number | undefined;
}

/** A question that waits for a person. */
export interface Question {
  readonly id: string;
  readonly agent: string;
  readonly question: string;
  readonly choices: readonly string[];
  /** When its agent asked, in epoch milliseconds. */
  readonly since: number;
  /** The daemon that has it, by its epoch: after a restart a question is kept until it is there again. */
  readonly epoch: string;
}

export type ImageKind = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

/** Something that an agent has shown. */
export interface Shown {
  readonly id: string;
  readonly agent: string;
  readonly at: number;
  readonly title: string | undefined;
  readonly markdown: string | undefined;
  /** In base64, its type told by its first bytes. */
  readonly image: { readonly type: ImageKind; readonly data: string } | undefined;
}

/** An event of the stream, without arguments: the log keeps hundreds. */
export type ConsoleEvent =
  | { readonly type: 'request'; readonly call: OpenCall }
  | { readonly type: 'claimed'; readonly id: string; readonly clientId: string }
  | { readonly type: 'cancelled'; readonly id: string; readonly reason: string | undefined }
  | { readonly type: 'settled'; readonly id: string; readonly outcome: string }
  | { readonly type: 'tools'; readonly revision: number; readonly names: readonly string[] }
  | {
      readonly type: 'started';
      readonly name: string;
      readonly harness: string | undefined;
      readonly mode: string | undefined;
    }
  | { readonly type: 'stopped'; readonly name: string; readonly harness: string | undefined }
  | {
      readonly type: 'message';
      readonly name: string;
      readonly from: string;
      readonly submitted: true | 'unconfirmed';
    }
  | { readonly type: 'other'; readonly name: string };

/** Which call an event is about, where its event does not say. */
export interface CallName {
  readonly agent: string;
  readonly tool: string;
}

export interface LogLine {
  /** Counts up from 1 over the life of the log. */
  readonly n: number;
  readonly at: number;
  readonly call?: CallName;
  readonly event:
    | ConsoleEvent
    | { readonly type: 'connected'; readonly version: string }
    | { readonly type: 'lost' };
}

/** What a stream begins with. */
export interface Hello {
  readonly epoch: string;
  readonly version: string;
  /** Seconds between two signs of life. */
  readonly heartbeatS: number;
  /** Of a provider stream. */
  readonly clientId: string | undefined;
  readonly requests: readonly OwnRequest[];
}

/** A call of a tool that this browser may offer, with its arguments. */
export interface OwnRequest {
  readonly id: string;
  readonly agent: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  /** Epoch milliseconds; undefined should the daemon not say. */
  readonly since: number | undefined;
  /** Whether this browser has it already. */
  readonly claimed: boolean;
}

/** The connection to the daemon. */
export type Link =
  | { readonly is: 'connecting' }
  | {
      readonly is: 'live';
      readonly epoch: string;
      readonly version: string;
      readonly clientId: string | undefined;
    }
  | { readonly is: 'lost'; readonly since: number; readonly clientId: string | undefined };

/** Whether this browser answers agents. */
export type Offering =
  | { readonly is: 'off' }
  | { readonly is: 'starting' }
  | { readonly is: 'on' }
  | { readonly is: 'refused'; readonly why: string };

export type Facts = 'agents' | 'groups' | 'calls';

export interface State {
  readonly link: Link;
  readonly offering: Offering;
  readonly agents: readonly Agent[];
  readonly groups: readonly Group[];
  readonly calls: ReadonlyMap<string, OpenCall>;
  /** Goes up with each event after which the daemon is to be asked for these. */
  readonly wanted: Readonly<Record<Facts, number>>;
  /** What `wanted` was when what is known was asked for. */
  readonly known: Readonly<Record<Facts, number>>;
  readonly log: readonly LogLine[];
  readonly questions: readonly Question[];
  readonly shown: readonly Shown[];
}

export const emptyState: State = {
  link: { is: 'connecting' },
  offering: { is: 'off' },
  agents: [],
  groups: [],
  calls: new Map(),
  wanted: { agents: 0, groups: 0, calls: 0 },
  known: { agents: 0, groups: 0, calls: 0 },
  log: [],
  questions: [],
  shown: [],
};
