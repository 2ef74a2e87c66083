// The whole page.

import type { Console } from '../console/console.js';
import { Agents } from './agents.js';
import { Apps } from './apps.js';
import { Calls } from './calls.js';
import { Header } from './header.js';
import { Log } from './log.js';
import { Announcements, Notices } from './parts/notices.js';
import { Questions } from './questions.js';
import { ShownList } from './shown.js';
import { SignedOut } from './signed-out.js';
import { Wiring } from './wiring.js';

export function Page({ page }: { readonly page: Console }) {
  const { state, local } = page;
  if (!local.signedIn) return <SignedOut words={local.signInWords} />;
  const { link } = state;
  return (
    <>
      <a class="skip" href="#main">
        Skip to the questions
      </a>
      <Header page={page} />
      {link.is === 'lost' && (
        <p class="banner" role="status">
          Leo is not answering; trying again. What stands here may be old.
        </p>
      )}
      {link.is === 'live' && link.version !== LEO_VERSION && (
        <p class="banner" role="status">
          Leo is {link.version} now and this page is {LEO_VERSION}.{' '}
          <button type="button" onClick={() => location.reload()}>
            Load it again
          </button>
        </p>
      )}
      <main id="main" tabIndex={-1}>
        <Questions page={page} />
        <ShownList shown={state.shown} dismiss={(id) => page.dismiss(id)} />
        <div class="columns">
          <div>
            <Agents page={page} agents={state.agents} />
            <Calls page={page} calls={state.calls} />
            <Log lines={state.log} />
          </div>
          <div>
            <Apps groups={state.groups} />
            <Wiring />
          </div>
        </div>
      </main>
      <Notices page={page} />
      <Announcements questions={state.questions} />
    </>
  );
}
