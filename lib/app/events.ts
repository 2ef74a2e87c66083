// What an app is told of its connection.

import type { LeoAppError } from './errors.js';

export type AppEvent =
  /** The daemon knows this app; again after each reconnect. */
  | {
      readonly type: 'connected';
      readonly clientId: string;
      readonly daemon: { readonly version: string; readonly epoch: string };
    }
  /** The stream is lost, or could not be had; the next attempt follows. */
  | { readonly type: 'reconnecting'; readonly reason: LeoAppError; readonly retryInMs: number }
  /** Nothing more comes: `close()` was called, or the daemon refuses this app for good (`reason`). */
  | { readonly type: 'closed'; readonly reason: LeoAppError | undefined }
  /** The daemon has taken a group; again after each reconnect. */
  | { readonly type: 'offered'; readonly group: string; readonly tools: readonly string[] }
  /** After a reconnect the daemon refused a group that it had taken before. It is offered again next time. */
  | { readonly type: 'offer_refused'; readonly group: string; readonly reason: LeoAppError }
  /** A handler starts. */
  | { readonly type: 'call_started'; readonly id: string; readonly agent: string; readonly tool: string }
  /** A call is over for this app. */
  | {
      readonly type: 'call_ended';
      readonly id: string;
      readonly agent: string;
      readonly tool: string;
      /** `ok`, the code of the failure that the agent was told, or why nobody waited any more. */
      readonly code: string;
      readonly message: string | undefined;
      /** Milliseconds since the handler started. */
      readonly tookMs: number;
    };
