// Puts an answer into one session of an opencode server, and lets the agent there go on with it.
// `node reply.mjs SESSION TEXT`; SCOUT_URL is the server's address.
//
// The route is the one outside /api: `POST /api/session/{id}/prompt` answers 200 and never runs.
// Tried with opencode 1.18.33: 204, and it runs.

const [session, ...words] = process.argv.slice(2);
const { SCOUT_URL } = process.env;
if (session === undefined || words.length === 0 || SCOUT_URL === undefined) {
  process.stderr.write('usage: SCOUT_URL=http://host:port node reply.mjs SESSION TEXT\n');
  process.exit(2);
}
const response = await fetch(`${SCOUT_URL}/session/${encodeURIComponent(session)}/prompt_async`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ parts: [{ type: 'text', text: words.join(' ') }] }),
});
if (response.ok) process.stdout.write('sent\n');
else {
  process.stderr.write(`${response.status}: ${await response.text()}\n`);
  process.exitCode = 1;
}
