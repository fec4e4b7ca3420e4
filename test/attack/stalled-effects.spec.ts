import { openOf, stated } from '../support/checks/statement.js';
import { issuerTokenFor } from '../support/credentials.js';
import { EmbeddedTarget } from '../support/faults/targets.js';
import { person } from '../support/load/people.js';
import { ingestAll } from '../support/load/tenants.js';
import { eventually, eventuallyNone } from '../support/stack.js';
import { CREDITS, type Customer, ISSUE, partings } from '../support/attack/effects.js';

const PEOPLE = Array.from({ length: 10 }, (_, number) => person(62_000 + number));
const ISSUANCES = 90;
const ANSWERED_BEFORE = 5;
const CLOSED_WITHIN = 6_000;

let target: EmbeddedTarget;

beforeAll(async () => {
  target = await EmbeddedTarget.start({
    TIMING_OPERATION_DEADLINE_MS: '5000',
    TIMING_ANSWER_DEADLINE_MS: '6000',
    TIMING_FOREIGN_DEDUCTION_MS: '6500',
  });
}, 90_000);
afterAll(() => target.stop(), 60_000);

/** The store halts when some of the first half are answered, and goes on when all are. The second half meets the halted store. */
const issueThrough = async (part: 'event store' | 'postgres', customer: Customer): Promise<readonly number[]> => {
  const statuses: number[] = [];
  const issuing = async (number: number): Promise<void> => {
    const call = ISSUE.request(customer, PEOPLE[number % PEOPLE.length] ?? person(0));
    const { status } = await target.https[0].send(call);
    statuses.push(status);
    if (statuses.length !== ANSWERED_BEFORE) return;
    target.signalStore(part, 'SIGSTOP');
    await Promise.all(Array.from({ length: ISSUANCES / 2 }, (_, second) => issuing(second)));
  };
  const first = Array.from({ length: ISSUANCES / 2 }, (_, each) => issuing(each));
  await Promise.all(first).finally(() => target.signalStore(part, 'SIGCONT'));
  return statuses;
};

const untilReady = (): Promise<unknown> =>
  eventually('a service that is ready', async () => (await fetch(`${target.https[0].baseUrl}/health/ready`)).ok);

it.each(['event store', 'postgres'] as const)(
  'of ninety credentials that are asked for while the %s halts, those that live are the ones that are paid for',
  async (part) => {
    await untilReady();
    const tenant = await target.operator.tenant({ credits: CREDITS });
    const customer = { ...tenant, bearer: await issuerTokenFor(target.https[0], tenant) };
    await ingestAll(target.https[0], customer, PEOPLE);
    const statuses = await issueThrough(part, customer);
    expect(statuses.filter((status) => status === 503 || status === 504).length).toBeGreaterThan(0);
    await untilReady();
    const log = target.openLog();
    try {
      await eventually(
        'the end of every deduction',
        async () => openOf(stated(await log.credits(customer.tenantId))).length === 0,
        60_000,
      );
      expect(await eventuallyNone(() => partings(log, target.https[0], customer, ISSUE), CLOSED_WITHIN)).toEqual([]);
    } finally {
      await log.close();
    }
  },
  180_000,
);
