// A provider inside the bench's own process: it registers tools and sees the calls, and never claims one. With
// it, the moment of a registration is on the bench's own clock.

import { type ClientRequest, request } from 'node:http';
import { isObject, type JsonObject } from '../lib/wire/json.js';

export interface Provider {
  /** Registers a group; resolves when the broker has answered. */
  register(group: string, tools: readonly JsonObject[]): Promise<void>;
  /** How many calls this provider has been told of. */
  seen(): number;
  /** Ends the stream: the broker ends this provider's calls. */
  close(): void;
}

export async function openProvider(socketPath: string): Promise<Provider> {
  let seen = 0;
  let stream: ClientRequest | undefined;
  const clientId = await new Promise<string>((resolve, reject) => {
    stream = request({ socketPath, path: '/api/v1/events?client_tools=1', agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
        const events = text.split('\n\n');
        text = events.pop() ?? '';
        for (const event of events) {
          const type = /^event: ?(.*)$/m.exec(event)?.[1];
          const data = /^data: ?(.*)$/m.exec(event)?.[1];
          if (type === 'client_tool.request') seen++;
          if (type !== 'hello' || data === undefined) continue;
          const hello: unknown = JSON.parse(data);
          if (isObject(hello) && typeof hello.client_id === 'string') resolve(hello.client_id);
        }
      });
      response.on('error', reject);
    });
    stream.on('error', reject).end();
  });
  return {
    register: (group, tools) =>
      post(socketPath, '/api/v1/client-tools', { client_id: clientId, group, tools }),
    seen: () => seen,
    close: () => stream?.destroy(),
  };
}

function post(socketPath: string, path: string, body: JsonObject): Promise<void> {
  return new Promise((resolve, reject) => {
    const call = request(
      { socketPath, path, method: 'POST', agent: false, headers: { 'content-type': 'application/json' } },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.on('end', () => {
          if (response.statusCode === 200) resolve();
          else reject(new Error(`POST ${path}: ${text}`));
        });
      },
    );
    call.on('error', reject).end(JSON.stringify(body));
  });
}
