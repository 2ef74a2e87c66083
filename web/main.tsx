// Where the page begins: signs in if the address says how, and draws.

import { render } from 'preact';
import { keepAttention } from './console/attention.js';
import { batched } from './console/batch.js';
import { Console } from './console/console.js';
import { signedInWord, signIn, takeCode } from './link/session.js';
import './style/base.css';
import './style/parts.css';
import { Page } from './view/page.js';

/** Uses the code in the address, if one is there; gives what went wrong. */
async function signInByAddress(): Promise<string | undefined> {
  const code = takeCode();
  return code === undefined ? undefined : await signIn(code);
}

async function start(): Promise<void> {
  const place = document.getElementById('page');
  if (place === null) return;
  const words = await signInByAddress();
  // A link that is used up does no harm to who is signed in.
  const page = new Console(signedInWord() === undefined ? words : undefined);
  // A link that is opened where the page is already changes no more than the end of its address.
  addEventListener('hashchange', () => {
    void signInByAddress().then((failed) => page.signInChanged(failed));
  });
  let live = false;
  const draw = () => {
    render(<Page page={page} />, place);
    if (live || page.state.known.agents === 0) return;
    live = true;
    // For the bench: what there is has been drawn.
    performance.mark('leo.live');
  };
  keepAttention(page);
  page.watch(batched(draw));
  draw();
}

void start();
