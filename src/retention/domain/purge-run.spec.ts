import { RUN_LASTS, turnOf } from './purge-run.js';
import { type PurgeRunEvent } from './retention.events.js';
import { utcDay, utcMonth } from '../../kernel/retention.js';

const now = new Date('2033-11-01T00:10:00.000Z');
const after = (event: PurgeRunEvent) => turnOf('2033-11-01', now, event);
const started = (at: Date, day = '2033-11-01') =>
  after({ type: 'PurgeRunStarted.v1', data: { day, startedAt: at.toISOString() } });
const completed = (day: string) =>
  after({ type: 'PurgeRunCompleted.v1', data: { day, completedAt: now.toISOString() } });

describe("whose turn a day's purge is", () => {
  it('is free before the first', () => expect(turnOf('2033-11-01', now, undefined)).toBe('free'));
  it('is free on the next day', () => expect(completed('2033-10-31')).toBe('free'));
  it('is done once it was completed', () => expect(completed('2033-11-01')).toBe('done'));
  it('is taken while another instance is at it', () =>
    expect(started(new Date(now.getTime() - RUN_LASTS + 1))).toBe('taken'));
  it('is free again when that instance was not heard of for too long', () =>
    expect(started(new Date(now.getTime() - RUN_LASTS))).toBe('free'));
});

describe('a run', () => {
  it('counts days and months in UTC', () => {
    expect(utcDay(new Date('2026-12-31T23:30:00.000-01:00'))).toBe('2027-01-01');
    expect(utcMonth(now)).toBe('2033-11');
  });
});
