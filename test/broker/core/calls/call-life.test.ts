import fc from 'fast-check';
import t from 'tap';
import {
  type CallEvent,
  type CallState,
  nextCallState,
} from '../../../../lib/broker/core/calls/call-life.js';
import type { Outcome } from '../../../../lib/wire/content.js';
import { clientId } from '../../../../lib/wire/ids.js';

const a = clientId('c_app_a_aaaa');
const b = clientId('c_app_b_bbbb');
const ok: Outcome = { ok: true, content: [] };
const failed: Outcome = { ok: false, code: 'timeout', message: 'm' };

const parked: CallState = { state: 'parked' };
const claimed: CallState = { state: 'claimed', by: a };
const answered: CallState = { state: 'settled', outcome: ok, result: { by: a, fingerprint: 'f' } };
const ended: CallState = { state: 'settled', outcome: failed };

const claim = (by = a): CallEvent => ({ type: 'claim', by });
const result = (by = a, fingerprint = 'f'): CallEvent => ({ type: 'result', by, outcome: ok, fingerprint });
const end: CallEvent = { type: 'end', code: 'timeout', message: 'm' };
const gone: CallEvent = { type: 'claimantGone' };

t.test('what each event does in each state', async (t) => {
  const table: [string, CallState, CallEvent, string, CallState?][] = [
    ['a parked call is claimed', parked, claim(), 'changed', claimed],
    ['a parked call takes no result', parked, result(), 'not_claimant'],
    ['a parked call ends', parked, end, 'changed', ended],
    ['a parked call has no claimant to lose', parked, gone, 'same'],
    ['the claimant may claim again', claimed, claim(), 'same'],
    ['another may not claim', claimed, claim(b), 'already_claimed'],
    ['the claimant answers', claimed, result(), 'changed', answered],
    ['another may not answer', claimed, result(b), 'not_claimant'],
    ['a claimed call ends', claimed, end, 'changed', ended],
    ['a claimed call is parked again', claimed, gone, 'changed', parked],
    ['an answered call is not claimed', answered, claim(), 'already_settled'],
    ['the same answer is taken again', answered, result(), 'same'],
    ['another answer is not', answered, result(a, 'g'), 'already_settled'],
    ['nor the same from another', answered, result(b), 'already_settled'],
    ['an answered call does not end again', answered, end, 'same'],
    ['nor is it parked again', answered, gone, 'same'],
    ['an ended call is unknown to claimants', ended, claim(), 'unknown_request'],
    ['and to answers', ended, result(), 'unknown_request'],
    ['and does not end again', ended, end, 'same'],
    ['nor is it parked again', ended, gone, 'same'],
  ];
  for (const [what, state, event, expected, after] of table) {
    const next = nextCallState(state, event);
    t.equal(next.kind === 'refused' ? next.code : next.kind, expected, what);
    if (next.kind === 'changed') t.strictSame(next.state, after, what);
  }
});

t.test('under any order of events a call settles at most once and stays so', async (t) => {
  const events = fc.array(
    fc.constantFrom(claim(), claim(b), result(), result(b), result(a, 'g'), end, gone),
    { maxLength: 30 },
  );
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(events, (list) => {
        let state: CallState = parked;
        let settled = 0;
        for (const event of list) {
          const next = nextCallState(state, event);
          if (next.kind !== 'changed') continue;
          if (state.state === 'settled') return false;
          state = next.state;
          if (state.state === 'settled') settled++;
        }
        return settled <= 1;
      }),
    ),
  );
});
