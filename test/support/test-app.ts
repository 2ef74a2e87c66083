// An app of a test: connected to the test's daemon by the library, and closed with its test.

import type { Test } from 'tap';
import { type AppConnection, type AppEvent, type ConnectOptions, connect } from '../../lib/app/index.js';
import { until } from './wait.js';

export interface TestApp {
  readonly app: AppConnection;
  /** What the app has been told so far. */
  readonly events: readonly AppEvent[];
  /** Waits for the nth event of a type, from 1. */
  told<T extends AppEvent['type']>(type: T, nth?: number): Promise<Extract<AppEvent, { type: T }>>;
}

/** Connects an app; `socket` or `url` says where. */
export async function testApp(t: Test, options: ConnectOptions): Promise<TestApp> {
  const events: AppEvent[] = [];
  const app = await connect({ ...options, onEvent: (event) => events.push(event) });
  t.teardown(() => app.close());
  const told = <T extends AppEvent['type']>(type: T, nth = 1): Promise<Extract<AppEvent, { type: T }>> => {
    const isOfType = (event: AppEvent): event is Extract<AppEvent, { type: T }> => event.type === type;
    return until(`the app is told ${type} (${nth})`, () => events.filter(isOfType)[nth - 1]);
  };
  return { app, events, told };
}

/** The first text of a call's response, as a gateway gets it: an answer's, or a failure's code and message. */
export function answerOf(response: Readonly<Record<string, unknown>>): unknown {
  return response.result === undefined ? response.error : (response.result as { content: unknown }).content;
}
