// An opencode plugin with one tool: it sends a message to one agent that Leo supervises, and says from which session
// it comes, so that the answer can come back to just that session. Put it into opencode's `plugin` folder.
//
// It needs LEO_URL, the address of Leo's daemon as seen from here; LEO_TOKEN_FILE, a file with the token that
// `leo client add` printed; LEO_CLIENT, the name it was added by; LEO_TO, the agent to write to.
//
// It tracks opencode's plugin API, which has no version: tried with opencode 1.18.33. It imports nothing, so that
// there is nothing to install in a container.

import { readFileSync } from 'node:fs';

const { LEO_URL, LEO_TOKEN_FILE, LEO_CLIENT, LEO_TO } = process.env;

export const Leo = async () => ({
  tool: {
    message_leo: {
      description: `Sends a message to the agent ${LEO_TO} on the host. Its answer comes later, as a message in this session; do not wait for it.`,
      args: { text: { type: 'string', description: 'The message, word for word' } },
      async execute({ text }, { sessionID }) {
        const response = await fetch(`${LEO_URL}/web/agent/${encodeURIComponent(LEO_TO)}/message`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${readFileSync(LEO_TOKEN_FILE, 'utf8').trim()}`,
            'content-type': 'application/json',
          },
          body: JSON.stringify({ text, from: `${LEO_CLIENT}#${sessionID}` }),
        });
        const answer = await response.json();
        return answer.ok ? 'The message was delivered.' : `It was not delivered: ${answer.error}`;
      },
    },
  },
});
