import { aggregatesOf } from '../../test/support/aggregates.js';
import { LiveEventStore } from '../../test/support/accounts-world.js';
import { ManualClock } from '../../test/support/manual-clock.js';
import { newTenantId } from '../kernel/ids.js';
import { OperatorAudit } from './operator-audit.js';
import { OperatorLog, type OperatorFilter } from './operator-log.js';

const EVER: OperatorFilter = { start: new Date(0), end: new Date('2999-01-01') };
const READ = 'GET /admin/accounts';
const SUSPEND = 'POST /admin/accounts/{id}/suspend';

const tenantId = newTenantId();
let clock: ManualClock;
let log: OperatorLog;
/** When each of the records was made. */
let times: Date[];

beforeEach(async () => {
  clock = new ManualClock();
  times = [];
  const store = new LiveEventStore();
  const audit = new OperatorAudit(aggregatesOf(store, clock));
  for (let index = 0; index < 10; index += 1) {
    clock.advance(60_000);
    times.push(clock.now());
    const of = index % 3 === 0 ? { action: SUSPEND, tenantId } : { action: READ, tenantId: null };
    await audit.record({ operatorHash: 'hash', roles: ['admin'], requestId: `r${index}`, ...of });
  }
  log = new OperatorLog(store);
});

const ids = async (filter: Partial<OperatorFilter>, limit = 100, from?: bigint): Promise<string> =>
  (await log.page({ ...EVER, ...filter }, limit, from)).records
    .map(({ metadata }) => metadata.$correlationId)
    .join(' ');

it('is read newest first, page after page, each record once', async () => {
  expect(await ids({})).toBe('r9 r8 r7 r6 r5 r4 r3 r2 r1 r0');
  const seen: string[] = [];
  let from: bigint | undefined;
  do {
    const page = await log.page(EVER, 3, from);
    seen.push(...page.records.map(({ metadata }) => metadata.$correlationId));
    from = page.next;
  } while (from !== undefined);
  expect(seen.join(' ')).toBe('r9 r8 r7 r6 r5 r4 r3 r2 r1 r0');
});

it('is narrowed by action, by account and by time: the start is inclusive, the end exclusive', async () => {
  expect(await ids({ action: SUSPEND })).toBe('r9 r6 r3 r0');
  expect(await ids({ action: 'GET' })).toBe('');
  expect(await ids({ tenantId })).toBe('r9 r6 r3 r0');
  expect(await ids({ start: times[4] as Date, end: times[7] as Date })).toBe('r6 r5 r4');
});

it('is empty before anybody did anything', async () => {
  const empty = new OperatorLog(new LiveEventStore());
  expect(await empty.page(EVER, 10)).toEqual({ records: [], next: undefined });
});
