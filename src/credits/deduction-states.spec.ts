import { setImmediate as turn } from 'node:timers/promises';
import { systemClock } from '../kernel/clock.js';
import { type StoredEvent } from '../kernel/events.js';
import { Unavailable } from '../kernel/unavailable.js';
import { DeductionStates } from './deduction-states.js';
import { type CreditEvent } from './domain/credits.events.js';

const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * 3_600_000);

const deducted = (deductionId: string): CreditEvent => ({
  type: 'CreditsDeducted.v1',
  data: { deductionId, operation: 'check_eligibility', amount: 1, requestId: 'r' },
});
const settled = (...deductionIds: string[]): CreditEvent => ({ type: 'DeductionsSettled.v1', data: { deductionIds } });

/** A stream in memory, read a page of two events at a time. */
class Stream {
  readonly pages: number[] = [];
  failing = false;
  beforePage: (() => Promise<void>) | undefined;
  readonly states = new DeductionStates(() => this.backwards(), systemClock);
  private readonly events: StoredEvent[] = [];

  append(event: CreditEvent, created = new Date()): void {
    this.events.push({ ...event, created } as unknown as StoredEvent);
  }

  private async *backwards(): AsyncGenerator<readonly StoredEvent[]> {
    const reading = this.pages.push(0) - 1;
    const events = [...this.events].reverse();
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
    stream.append(settled(...ids.slice(1)));
    const asked = [...ids, 'never landed'].map((id) => stream.states.of(id, new Date()));
    const answers = await Promise.all(asked);
    expect([answers[0], answers.at(-1)]).toEqual(['open', 'unknown']);
    expect(new Set(answers.slice(1, -1))).toEqual(new Set(['settled']));
    expect(stream.pages).toHaveLength(1);
  });

  it('is never answered from a reading that began before the question', async () => {
    const stream = new Stream();
    ['a', 'b', 'c'].forEach((id) => stream.append(deducted(id)));
    let late: Promise<string> | undefined;
    stream.beforePage = () => {
      stream.beforePage = undefined;
      stream.append(settled('late'));
      late = stream.states.of('late', new Date());
      return Promise.resolve();
    };
    expect(await stream.states.of('never landed', new Date())).toBe('unknown');
    expect(await late).toBe('settled');
  });

  it('is refused to those only for whom the reading failed', async () => {
    const stream = new Stream();
    stream.append(settled('a', 'b'));
    stream.failing = true;
    const refused = ['a', 'b'].map((id) => stream.states.of(id, new Date()).catch((error: unknown) => error));
    expect((await Promise.all(refused)).every((error) => error instanceof Unavailable)).toBe(true);
    stream.failing = false;
    expect(await stream.states.of('a', new Date())).toBe('settled');
  });

  it('is read no further back than to the last that is sought, and than the earliest question reaches', async () => {
    const stream = new Stream();
    for (let index = 0; index < 10; index += 1) stream.append(deducted(`old${index}`), hoursAgo(2));
    for (let index = 0; index < 10; index += 1) stream.append(deducted(`new${index}`));
    expect(await stream.states.of('new8', new Date())).toBe('open');
    expect(await stream.states.of('never landed', new Date())).toBe('unknown');
    const both = [stream.states.of('old0', hoursAgo(3)), stream.states.of('new9', hoursAgo(3))];
    expect(await Promise.all(both)).toEqual(['open', 'open']);
    expect(stream.pages).toEqual([1, 6, 10]);
  });

  it('is told of recent ones while the distant past is still being read', async () => {
    const stream = new Stream();
    for (let index = 0; index < 100; index += 1) stream.append(deducted(`old${index}`), hoursAgo(2));
    stream.append(settled('recent'));
    let past: string | undefined;
    const reading = stream.states.of('never landed', hoursAgo(3)).then((state) => (past = state));
    expect(await stream.states.of('recent', new Date())).toBe('settled');
    expect(past).toBeUndefined();
    expect(stream.states.idle).toBe(false);
    expect(await reading).toBe('unknown');
    await turn();
    expect(stream.states.idle).toBe(true);
  });
});
