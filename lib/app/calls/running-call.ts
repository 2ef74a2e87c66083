// A call as its handler sees it. The abort signal is made when somebody asks for it: most handlers are done
// before they could be cancelled.

import type { JsonObject } from '../../wire/json.js';
import type { CallRequest } from '../link/stream-events.js';
import type { ToolCall } from '../tool.js';

export class RunningCall implements ToolCall {
  readonly id: string;
  readonly agent: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly deadline: Date | undefined;
  /** A property and not a method, so that a handler may take it out: `({ progress }) => …`. */
  readonly progress: ToolCall['progress'];
  #controller: AbortController | undefined;
  #endedBy: string | undefined;

  constructor(request: CallRequest, progress: ToolCall['progress']) {
    this.id = request.id;
    this.agent = request.agent;
    this.tool = request.tool;
    this.arguments = request.arguments;
    this.deadline = request.deadline === null ? undefined : new Date(request.deadline);
    this.progress = (...told) => {
      if (this.#endedBy === undefined) progress(...told);
    };
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#endedBy !== undefined && !this.#controller.signal.aborted) {
      this.#controller.abort(aborted(this.#endedBy));
    }
    return this.#controller.signal;
  }

  /** Nobody waits for the answer any more. May be called twice. */
  abort(reason: string): void {
    if (this.#endedBy !== undefined) return;
    this.#endedBy = reason;
    this.#controller?.abort(aborted(reason));
  }
}

function aborted(reason: string): DOMException {
  return new DOMException(`nobody waits for the answer any more: ${reason}`, 'AbortError');
}
