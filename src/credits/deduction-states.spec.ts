import { settled } from '../../test/support/credit-account.js';
import { setImmediate as turn } from 'node:timers/promises';
import { type StoredEvent } from '../kernel/events.js';
import { Unavailable } from '../kernel/unavailable.js';
import { DeductionStates } from './deduction-states.js';
import { type CreditEvent } from './domain/credits.events.js';

const deducted = (deductionId: string): CreditEvent => ({
  type: 'CreditsDeducted.v1',
  data: { deductionId, operation: 'check_eligibility', amount: 1, requestId: 'r' },
});

/** A stream in memory, read a page of two events at a time. */
class Stream {
  readonly pages: number[] = [];
  failing = false;
  beforePage: (() => Promise<void>) | undefined;
  /** As far as somebody else has read it. */
  known = -1n;
  readonly states = new DeductionStates(
    (limits) => this.backwards(limits?.maxCount),
    () => this.known,
  );
  private readonly events: StoredEvent[] = [];

  append(event: CreditEvent): void {
    const revision = BigInt(this.events.length);
    // A clock that is set back by an hour with each event.
    const created = new Date(Date.now() - this.events.length * 3_600_000);
    this.events.push({ ...event, revision, position: revision * 10n, created } as unknown as StoredEvent);
  }

  putBackTo(events: number): void {
    this.events.splice(events);
  }

  private async *backwards(maxCount = Infinity): AsyncGenerator<readonly StoredEvent[]> {
    const reading = this.pages.push(0) - 1;
    const events = [...this.events].reverse().slice(0, maxCount);
    for (let from = 0; from < events.length; from += 2) {
      await turn();
      await this.beforePage?.();
      if (this.failing) throw new Unavailable('event_store');
      this.pages[reading] = (this.pages[reading] ?? 0) + 1;
      yield events.slice(from, from + 2);
    }
  }
}

describe('what became of deductions', () => {
  it('is read once for all who ask at once: a reading for each would keep a slow store from ever answering', async () => {
    const stream = new Stream();
    const ids = Array.from({ length: 40 }, (_, index) => `d${index}`);
    ids.forEach((id) => stream.append(deducted(id)));
    for (const id of ids.slice(1)) stream.append(settled(id));
    const lookups = [...ids, 'never landed'].map((id) => stream.states.of(id, -1n));
    const answers = await Promise.all(lookups);
    expect([answers[0], answers.at(-1)]).toEqual(['open', 'unknown']);
    expect(new Set(answers.slice(1, -1))).toEqual(new Set(['settled']));
    expect(stream.pages).toHaveLength(1);
  });

  it('is looked for as far back as the stream has gone, also where the log was put back', async () => {
    const stream = new Stream();
    for (let index = 0; index < 9; index += 1) stream.append(deducted(`d${index}`));
    expect(await stream.states.reached()).toBe(8n);
    stream.putBackTo(4);
    expect(await stream.states.of('d0', -1n)).toBe('open');
    expect(await stream.states.reached()).toBe(3n);
  });

  it('is never answered from a reading that began before the question', async () => {
    const stream = new Stream();
    ['a', 'b', 'c'].forEach((id) => stream.append(deducted(id)));
    let late: Promise<string> | undefined;
    stream.beforePage = () => {
      stream.beforePage = undefined;
      stream.append(settled('late'));
      late = stream.states.of('late', -1n);
      return Promise.resolve();
    };
    expect(await stream.states.of('never landed', -1n)).toBe('unknown');
    expect(await late).toBe('settled');
  });

  it('is refused to those only for whom the reading failed', async () => {
    const stream = new Stream();
    for (const id of ['a', 'b']) stream.append(settled(id));
    stream.failing = true;
    const refused = ['a', 'b'].map((id) => stream.states.of(id, -1n).catch((error: unknown) => error));
    expect((await Promise.all(refused)).every((error) => error instanceof Unavailable)).toBe(true);
    stream.failing = false;
    expect(await stream.states.of('a', -1n)).toBe('settled');
  });

  it('is read no further back than to the last that is sought, and than the earliest question reaches', async () => {
    const stream = new Stream();
    for (let index = 0; index < 20; index += 1) stream.append(deducted(`d${index}`));
    expect(await stream.states.of('d18', -1n)).toBe('open');
    expect(await stream.states.of('never landed', 9n)).toBe('unknown');
    const both = [stream.states.of('d0', -1n), stream.states.of('d19', 9n)];
    expect(await Promise.all(both)).toEqual(['open', 'open']);
    expect(stream.pages).toEqual([1, 6, 10]);
  });

  it('is told of recent ones while the distant past is still being read', async () => {
    const stream = new Stream();
    for (let index = 0; index < 100; index += 1) stream.append(deducted(`old${index}`));
    stream.append(settled('recent'));
    stream.known = 1_000_000n;
    let past: string | undefined;
    const reading = stream.states.of('never landed', -1n).then((state) => (past = state));
    expect(await stream.states.of('recent', 999_999n)).toBe('settled');
    expect(past).toBeUndefined();
    expect(stream.states.idle).toBe(false);
    expect(await reading).toBe('unknown');
    await turn();
    expect(stream.states.idle).toBe(true);
  });

  it('is found behind a revision that the stream had reached, which takes one event to learn, once', async () => {
    const stream = new Stream();
    expect(await stream.states.reached()).toBe(-1n);
    for (let index = 0; index < 10; index += 1) stream.append(deducted(`d${index}`));
    expect([await stream.states.reached(), await stream.states.reached()]).toEqual([9n, 9n]);
    expect(stream.pages).toEqual([0, 1]);
    stream.known = 12n;
    expect(await stream.states.reached()).toBe(12n);
  });

  it('may lie anywhere where the store does not say how far the stream has come', async () => {
    const stream = new Stream();
    stream.append(deducted('d0'));
    stream.failing = true;
    expect(await stream.states.reached()).toBe(-1n);
  });
});
