// What the core decides should happen; the shells around it do as told, in this order.

import type { Progress } from '../../wire/bodies/calls.js';
import type { Outcome } from '../../wire/content.js';
import type { BrokerEvent } from '../../wire/events.js';
import type { ClientId, RequestId, SessionId } from '../../wire/ids.js';

/** One open provider stream; the HTTP side makes it. */
export type StreamId = number;

export type Effect =
  /** Goes to every stream, each in the form that it may see. */
  | { readonly type: 'publish'; readonly event: BrokerEvent }
  /** The end of a call, for the gateway that made it. */
  | {
      readonly type: 'outcome';
      readonly session: SessionId;
      readonly id: RequestId;
      readonly outcome: Outcome;
      /** Set where the call was answered without ever being parked. */
      readonly neverParked?: true;
    }
  | { readonly type: 'claimed'; readonly session: SessionId; readonly id: RequestId; readonly by: ClientId }
  | { readonly type: 'unclaimed'; readonly session: SessionId; readonly id: RequestId }
  | {
      readonly type: 'progress';
      readonly session: SessionId;
      readonly id: RequestId;
      readonly progress: Progress;
    }
  /** The tools of all apps are no longer what the gateways were told. */
  | { readonly type: 'catalogue' }
  /** A provider stream has been replaced and must be closed. */
  | { readonly type: 'closeStream'; readonly stream: StreamId };
