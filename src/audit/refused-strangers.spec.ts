import { type AnsweredRequest } from '../http/request-trail.js';
import { RefusedStrangers } from './refused-strangers.js';

const at = (seconds: number): Date => new Date(seconds * 1_000);

const refused = (seconds: number, changes: Partial<AnsweredRequest> = {}): AnsweredRequest => ({
  ...{ answeredAt: at(seconds), requestId: `r${seconds}`, method: 'GET', route: '/billing/credits', status: 401 },
  ...{
    errorCode: 'INVALID_API_KEY',
    durationMs: 1,
    credits: null,
    caller: 'anonymous',
    tenantId: null,
    actorId: 'anonymous',
  },
  ...changes,
});

describe('refused strangers', () => {
  it('are in the log one by one up to a hundred alike in a minute, and as one sum after its end', () => {
    const strangers = new RefusedStrangers();
    const whole = Array.from({ length: 250 }, (_, index) => strangers.isWhole(refused(index / 10)));
    expect(whole.filter(Boolean)).toHaveLength(100);
    expect(strangers.sumsBefore(at(59))).toEqual([]);
    expect(strangers.sumsBefore(at(60))).toEqual([expect.objectContaining({ requests: 150, requestId: 'r24.9' })]);
    expect(strangers.sumsBefore(at(60))).toEqual([]);
    expect(strangers.isWhole(refused(61))).toBe(true);
  });

  it('are summed by route, status and code, each apart', () => {
    const strangers = new RefusedStrangers();
    const kinds = [{}, { status: 429, errorCode: 'RATE_LIMITED' as const }, { route: '/api/v1/ingest' }];
    for (const kind of kinds) for (let index = 0; index < 101; index += 1) strangers.isWhole(refused(1, kind));
    expect(strangers.sumsBefore(at(60)).map(({ requests }) => requests)).toEqual([1, 1, 1]);
  });

  it('are no callers with credentials, and nothing that was answered', () => {
    const strangers = new RefusedStrangers();
    const others = [{ caller: 'tenant' as const }, { status: 200, errorCode: null }, { status: 404 }];
    for (const other of others)
      for (let index = 0; index < 200; index += 1) expect(strangers.isWhole(refused(1, other))).toBe(true);
    expect(strangers.sumsBefore(at(60))).toEqual([]);
  });
});
