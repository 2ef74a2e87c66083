// The whole page.

import { useMemo } from 'preact/hooks';
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
  // What changes seldom and is long is not drawn with each batch of events.
  const shown = useMemo(
    () => <ShownList shown={state.shown} dismiss={(id) => page.dismiss(id)} />,
    [state.shown, page],
  );
  const own = state.link.is === 'connecting' ? undefined : state.link.clientId;
  const apps = useMemo(
    () => (
      <>
        <Apps groups={state.groups} own={own} />
        <Wiring />
      </>
    ),
    [state.groups, own],
  );
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
        {shown}
        <div class="columns">
          <div>
            <Agents page={page} agents={state.agents} />
            <Calls page={page} calls={state.calls} />
            <Log lines={state.log} />
          </div>
          <div>{apps}</div>
        </div>
      </main>
      <Notices page={page} />
      <Announcements questions={state.questions} />
    </>
  );
}
