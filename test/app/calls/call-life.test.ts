// A call's life at the app, against a model of the broker, the gateway and the network between them, in every
// order that fast-check comes upon: restarts, lost answers, new streams, late listings.

import fc from 'fast-check';
import t from 'tap';
import type { CallEvent } from '../../../lib/app/calls/call-life.js';
import { nextStep } from '../../../lib/app/calls/call-life.js';
import { HeldCalls, type Todo } from '../../../lib/app/calls/held-calls.js';
import { failure, outcomeOfReturn } from '../../../lib/app/calls/outcome.js';
import { requestId } from '../../../lib/wire/ids.js';

const id = requestId('r_the_one_call');

/** One call, one app, one gateway; a daemon that may be replaced. */
class World {
  runs = 0;
  gatewayHasOutcome = false;
  #epoch = 1;
  #call: 'absent' | 'parked' | 'ours' | 'settled' = 'absent';
  /** Whether the gateway was told of the claim, and so would park the call as claimed. */
  #gatewayKnowsClaim = false;
  #handler: 'none' | 'running' | 'done' = 'none';
  readonly #app = new HeldCalls<undefined>();
  /** What has come down the stream and is not read yet, in order; undefined while there is no stream. */
  #stream: (() => void)[] | undefined;
  readonly #sent: ('claim' | 'post')[] = [];
  readonly #answered: { kind: 'claim' | 'post'; event: CallEvent }[] = [];

  /** The things that may happen next; each is a step that changes the world. */
  readonly steps: readonly (() => void)[] = [
    () => this.park(),
    () => this.openStream(),
    () => this.#stream?.shift()?.(),
    () => this.serve(this.#sent.length - 1),
    () => this.serve(0),
    () => this.hear(this.#answered.length - 1),
    () => this.hear(0),
    () => this.loseAnswer(),
    () => this.finishHandler(),
    () => this.deliverOutcome(),
    () => this.tellClaim(),
    () => this.restart(),
    () => {
      this.#stream = undefined;
    },
  ];

  park(): void {
    if (this.gatewayHasOutcome || this.#call !== 'absent') return;
    this.#call = this.#gatewayKnowsClaim ? 'ours' : 'parked';
    const epoch = String(this.#epoch);
    // The event does not say who has claimed the call.
    this.#stream?.push(() => this.#do(this.#app.listed(id, epoch, false, undefined)));
  }

  openStream(): void {
    const epoch = String(this.#epoch);
    const call = this.#call;
    const open = call === 'parked' || call === 'ours';
    this.#stream = [
      () =>
        this.#do(
          open
            ? this.#app.listed(id, epoch, call === 'ours', undefined)
            : this.#app.happened(id, { type: 'unlisted', epoch }),
        ),
    ];
  }

  serve(index: number): void {
    const [kind] = index < 0 ? [] : this.#sent.splice(index, 1);
    if (kind === 'claim') {
      const open = this.#call === 'parked' || this.#call === 'ours';
      if (open) this.#call = 'ours';
      const code = this.#call === 'settled' ? 'already_settled' : 'unknown_request';
      this.#answered.push({ kind, event: open ? { type: 'claimed' } : { type: 'claim_refused', code } });
    } else if (kind === 'post') {
      const accepted = this.#call === 'ours' || this.#call === 'settled';
      if (accepted) this.#call = 'settled';
      const code = this.#call === 'parked' ? 'not_claimant' : 'unknown_request';
      this.#answered.push({
        kind,
        event: accepted ? { type: 'accepted' } : { type: 'result_refused', code, message: '' },
      });
    }
  }

  hear(index: number): void {
    const [answer] = index < 0 ? [] : this.#answered.splice(index, 1);
    if (answer !== undefined) this.#do(this.#app.happened(id, answer.event));
  }

  /** An answer is lost on its way, so the app sends again. */
  loseAnswer(): void {
    const answer = this.#answered.shift();
    if (answer !== undefined) this.#sent.push(answer.kind);
  }

  finishHandler(): void {
    if (this.#handler !== 'running') return;
    this.#handler = 'done';
    this.#do(this.#app.happened(id, { type: 'finished', outcome: outcomeOfReturn('the answer') }));
  }

  deliverOutcome(): void {
    if (this.#call === 'settled') this.gatewayHasOutcome = true;
  }

  tellClaim(): void {
    if (this.#call === 'ours') this.#gatewayKnowsClaim = true;
  }

  restart(): void {
    this.#epoch++;
    this.#call = 'absent';
    this.#stream = undefined;
  }

  /** Nothing fails any more: everything that is under way arrives. */
  settle(): void {
    for (let round = 0; round < 20; round++) {
      this.park();
      if (this.#stream === undefined) this.openStream();
      while (this.#stream !== undefined && this.#stream.length > 0) this.#stream.shift()?.();
      while (this.#sent.length > 0) this.serve(0);
      while (this.#answered.length > 0) this.hear(0);
      this.finishHandler();
      this.deliverOutcome();
    }
  }

  #do(todo: Todo<undefined> | undefined): void {
    if (todo?.effect.do === 'run') {
      this.runs++;
      this.#handler = 'running';
    } else if (todo?.effect.do === 'claim' || todo?.effect.do === 'post') this.#sent.push(todo.effect.do);
  }
}

t.test('a call runs once and is answered, whatever is lost and restarted meanwhile', async (t) => {
  const steps = new World().steps.length;
  // Stream, call, hello, request: a claim is under way; served and heard: the handler runs; finished: the answer
  // is under way; served: the daemon has it.
  const claiming = [1, 0, 2, 2];
  const running = [...claiming, 3, 5];
  const starts = [[], claiming, running, [...running, 8], [...running, 8, 3]];
  fc.assert(
    fc.property(
      fc.constantFrom(...starts),
      fc.array(fc.nat(steps - 1), { maxLength: 40 }),
      (start, schedule) => {
        const world = new World();
        for (const step of [...start, ...schedule]) world.steps[step]?.();
        world.settle();
        return world.runs === 1 && world.gatewayHasOutcome;
      },
    ),
    { numRuns: 20_000 },
  );
  t.pass('20,000 schedules');
});

t.test('what a call of the present epoch goes through', async (t) => {
  const running = { step: 'running', epoch: '1', claim: 'held' } as const;
  const outcome = outcomeOfReturn('x');
  const answering = {
    step: 'answering',
    epoch: '1',
    claim: 'held',
    outcome,
    posting: true,
    listedAgain: 'no',
  } as const;
  const refused = failure('invalid_result', 'no such picture');
  const rows: readonly [string, ReturnType<typeof nextStep>, ReturnType<typeof nextStep>][] = [
    [
      'a hello without a running call aborts it',
      nextStep(running, { type: 'unlisted', epoch: '1' }),
      { life: undefined, effect: { do: 'abort', reason: 'the call has ended' } },
    ],
    [
      'a hello of another epoch without it does not',
      nextStep(running, { type: 'unlisted', epoch: '2' }),
      { life: { ...running, claim: 'lost' }, effect: undefined },
    ],
    [
      'a cancelled call is aborted for the reason',
      nextStep(running, { type: 'cancelled', reason: 'timeout' }),
      { life: undefined, effect: { do: 'abort', reason: 'timeout' } },
    ],
    [
      'a cancelled call whose answer is under way is over',
      nextStep(answering, { type: 'cancelled', reason: 'cancelled' }),
      { life: undefined, effect: undefined },
    ],
    [
      'a refused result is told to the agent',
      nextStep(answering, { type: 'result_refused', code: 'invalid_result', message: 'no such picture' }),
      { life: { ...answering, outcome: refused }, effect: { do: 'post', outcome: refused } },
    ],
    [
      'a refused failure is given up',
      nextStep(
        { ...answering, outcome: refused },
        { type: 'result_refused', code: 'invalid_result', message: '' },
      ),
      { life: undefined, effect: undefined },
    ],
    [
      'a running call that another app has is aborted',
      nextStep({ ...running, claim: 'asked' }, { type: 'claim_refused', code: 'already_claimed' }),
      { life: undefined, effect: { do: 'abort', reason: 'another app does this call' } },
    ],
    [
      'an answer is still given when the app closes',
      nextStep(answering, { type: 'closing', reason: 'bye' }),
      { life: answering, effect: undefined },
    ],
  ];
  for (const [name, found, wanted] of rows) t.same(found, wanted, name);
});
