import { aggregatesOf } from '../../test/support/aggregates.js';
import { LegibleVault, LiveEventStore } from '../../test/support/accounts-world.js';
import { ManualClock } from '../../test/support/manual-clock.js';
import { newTenantId } from '../kernel/ids.js';
import { type Conclusion, type OpenAct, OUTCOME_WITHIN } from '../http/operator-trail.js';
import { OperatorAudit } from './operator-audit.js';
import { OperatorLog, type OperatorFilter } from './operator-log.js';

const EVER: OperatorFilter = { start: new Date(0), end: new Date('2999-01-01') };
const READ = 'GET /admin/accounts';
const SUSPEND = 'POST /admin/accounts/{id}/suspend';
const DONE: Conclusion = { outcome: 'done', status: 200, code: null, changes: [] };
const REFUSED: Conclusion = { outcome: 'refused', status: 409, code: 'CONFLICT', changes: [] };

const tenantId = newTenantId();
const vault = new LegibleVault();
let clock: ManualClock;
let store: LiveEventStore;
let audit: OperatorAudit;
let log: OperatorLog;

beforeEach(() => {
  clock = new ManualClock();
  store = new LiveEventStore();
  audit = new OperatorAudit(aggregatesOf(store, clock), vault);
  log = new OperatorLog(store, vault);
});

const begin = (requestId: string, of: { action: string; tenantId: typeof tenantId | null }, by = 'hash') =>
  audit.record({
    operatorHash: by,
    operator: `${by}@kyc.example`,
    roles: ['admin'],
    requestId,
    target: {},
    justification: null,
    ...of,
  });
const read = (requestId: string): Promise<OpenAct> => begin(requestId, { action: READ, tenantId: null });

/** All pages of this size, as `request:outcome`. */
const listed = async (filter: Partial<OperatorFilter> = {}, limit = 100): Promise<string> => {
  const seen: string[] = [];
  let from: bigint | undefined;
  do {
    const { records, next } = await log.page({ ...EVER, ...filter }, limit, from);
    seen.push(...records.map(({ act, conclusion }) => `${act.metadata.$correlationId}:${conclusion.outcome}`));
    from = next;
  } while (from !== undefined);
  return seen.join(' ');
};

const ids = async (filter: Partial<OperatorFilter>): Promise<string> => (await listed(filter)).replaceAll(/:\w+/g, '');

describe('acts of operators', () => {
  /** When each of the records was made. */
  let times: Date[];

  beforeEach(async () => {
    times = [];
    for (let index = 0; index < 10; index += 1) {
      clock.advance(60_000);
      times.push(clock.now());
      const of = index % 3 === 0 ? { action: SUSPEND, tenantId } : { action: READ, tenantId: null };
      await begin(`r${index}`, of, index === 4 ? 'other' : 'hash');
    }
  });

  it('are read newest first, page after page, each once', async () => {
    for (const limit of [3, 100])
      expect((await listed({}, limit)).replaceAll(/:unknown/g, '')).toBe('r9 r8 r7 r6 r5 r4 r3 r2 r1 r0');
  });

  it('are narrowed by action, account, operator, request and time: the start is inclusive, the end exclusive', async () => {
    expect(await ids({ action: SUSPEND })).toBe('r9 r6 r3 r0');
    expect(await ids({ action: 'GET' })).toBe('');
    expect(await ids({ tenantId })).toBe('r9 r6 r3 r0');
    expect(await ids({ operators: ['nobody', 'other'] })).toBe('r4');
    expect(await ids({ requestId: 'r5' })).toBe('r5');
    expect(await ids({ start: times[4] as Date, end: times[7] as Date })).toBe('r6 r5 r4');
  });
});

it('is empty before anybody did anything', async () => {
  expect(await log.page(EVER, 10)).toEqual({ records: [], next: undefined });
});

describe('what became of an act', () => {
  it('is unknown until it is told, and stays so where the process died', async () => {
    const act = await read('r0');
    await read('died');
    expect(await listed()).toBe('died:unknown r0:unknown');
    await audit.conclude(act, DONE);
    expect(await listed()).toBe('died:unknown r0:done');
    const [died] = (await log.page(EVER, 1)).records;
    expect(died?.conclusion).toEqual({ outcome: 'unknown', status: null, code: null, changes: [] });
  });

  it('is found on every page, also where acts ran at once and their ends lie on a page before', async () => {
    const acts = [await read('r0'), await read('r1'), await read('r2')];
    clock.advance(OUTCOME_WITHIN / 2);
    for (const act of acts) await audit.conclude(act, act === acts[1] ? REFUSED : DONE);
    await audit.conclude(await read('r3'), DONE);
    const whole = 'r3:done r2:done r1:refused r0:done';
    for (const limit of [1, 2, 3, 100]) expect([limit, await listed({}, limit)]).toEqual([limit, whole]);
  });

  it('is found behind the end of the range', async () => {
    const act = await read('r0');
    const end = new Date(clock.now().getTime() + 1);
    clock.advance(1_000);
    await audit.conclude(act, DONE);
    await read('later');
    expect(await listed({ end })).toBe('r0:done');
  });

  it('narrows', async () => {
    await audit.conclude(await read('r0'), DONE);
    await audit.conclude(await read('r1'), REFUSED);
    await read('r2');
    expect(await listed({ outcomes: ['refused', 'unknown'] })).toBe('r2:unknown r1:refused');
    expect(await listed({ outcomes: ['done'] }, 1)).toBe('r0:done');
    expect(await listed({ outcomes: ['repeated'] })).toBe('');
  });

  it('is streamed page by page, all or the first of them', async () => {
    for (let index = 0; index < 5; index += 1) await audit.conclude(await read(`r${index}`), DONE);
    const streamed = async (limit: number): Promise<string[]> => {
      const seen: string[] = [];
      for await (const records of log.pages(EVER, limit))
        seen.push(...records.map(({ act }) => act.metadata.$correlationId));
      return seen;
    };
    expect(await streamed(Infinity)).toEqual(['r4', 'r3', 'r2', 'r1', 'r0']);
    expect(await streamed(2)).toEqual(['r4', 'r3']);
  });
});
