import { randomUUID } from 'node:crypto';
import { EmbeddedTarget } from '../support/faults/targets.js';
import { type Answer } from '../support/load/http.js';
import { enquiry, person } from '../support/load/people.js';
import { balanceOf, ingestAll, type Tenant } from '../support/load/tenants.js';
import { eventually, sleep } from '../support/stack.js';

const LOOK_UPS = 1_000;
const CREDITS = 5_000;
const STALL = 10_000;
/** Within this time of uptime nothing is undecided. */
const DECIDED_WITHIN = 60_000;
const PEOPLE = [person(0), person(1)];

let target: EmbeddedTarget;

beforeAll(async () => {
  target = await EmbeddedTarget.start();
}, 60_000);

afterAll(() => target.stop(), 60_000);

/** All at once; the store halts when some are answered. */
const lookUpThrough = async (
  part: 'event store' | 'postgres',
  { apiKey }: Tenant,
): Promise<ReadonlyMap<string, Answer>> => {
  const answers = new Map<string, Answer>();
  const calls = Array.from({ length: LOOK_UPS }, async (_, index) => {
    const requestId = randomUUID();
    const headers = { 'x-request-id': requestId };
    const body = enquiry(person(index % 3));
    answers.set(requestId, await target.https[0].send({ path: '/api/v1/check-eligibility', apiKey, body, headers }));
  });
  await eventually('the first answers', () => answers.size > 50);
  target.signalStore(part, 'SIGSTOP');
  await sleep(STALL);
  target.signalStore(part, 'SIGCONT');
  await Promise.all(calls);
  return answers;
};

/** What the ledger says of each request: how often it was charged, and how often that was reversed. */
const accountOf = async ({
  tenantId,
}: Tenant): Promise<ReadonlyMap<string, { charges: number; reversals: number }>> => {
  const log = target.openLog();
  const events = await log.credits(tenantId);
  await log.close();
  const requests = new Map<string, { charges: number; reversals: number }>();
  const requestOf = new Map<string, string>();
  for (const event of events) {
    if (event.type === 'OperationCharged.v1') {
      const { chargeId, requestId } = event.data as { chargeId: string; requestId: string };
      requestOf.set(chargeId, requestId);
      const { charges, reversals } = requests.get(requestId) ?? { charges: 0, reversals: 0 };
      requests.set(requestId, { charges: charges + 1, reversals });
    } else if (event.type === 'ChargeReversed.v1') {
      const request = requests.get(requestOf.get((event.data as { chargeId: string }).chargeId) ?? '');
      if (request === undefined) throw new Error('a reversal follows its charge');
      request.reversals += 1;
    }
  }
  return requests;
};

interface Shown {
  readonly request_id: string;
  readonly action: string;
  readonly result: string;
  readonly ip_address: string;
  readonly identity_hash: string;
}

const auditOf = async ({ apiKey }: Tenant): Promise<ReadonlyMap<string, Shown>> => {
  const shown = new Map<string, Shown>();
  for (let offset = 0, more = true; more; offset += 1_000) {
    const path = `/api/v1/compliance/audit-log?action=eligibility_check&limit=1000&offset=${offset}`;
    const { json } = await target.https[0].expect(200, { path, apiKey });
    for (const entry of json['logs'] as Shown[]) shown.set(entry.request_id, entry);
    more = (json['pagination'] as { has_more: boolean }).has_more;
  }
  return shown;
};

describe.each(['event store', 'postgres'] as const)(
  'a thousand look-ups while the %s stalls for ten seconds',
  (part) => {
    let tenant: Tenant;
    let answers: ReadonlyMap<string, Answer>;
    const withStatus = (wanted: (status: number) => boolean): string[] =>
      [...answers].filter(([, { status }]) => wanted(status)).map(([requestId]) => requestId);

    beforeAll(async () => {
      tenant = await target.operator.tenant({ credits: CREDITS });
      await ingestAll(target.https[0], tenant, PEOPLE);
      answers = await lookUpThrough(part, tenant);
    }, 120_000);

    it('are answered 200, or 503 and 504', () => {
      expect(withStatus((status) => ![200, 503, 504].includes(status))).toEqual([]);
      expect(withStatus((status) => status === 200).length).toBeGreaterThan(50);
      expect(withStatus((status) => status >= 500).length).toBeGreaterThan(0);
    });

    it('are each charged once where the answer was 200, else not, or no longer', async () => {
      const failed = withStatus((status) => status !== 200);
      const served = withStatus((status) => status === 200);
      const account = await eventually(
        'the reversal of every charge without an answer',
        async () => {
          const now = await accountOf(tenant);
          const decided = failed.every((id) => now.get(id)?.charges === now.get(id)?.reversals);
          return decided && (await balanceOf(target.https[0], tenant)) === CREDITS - served.length && now;
        },
        DECIDED_WITHIN,
      );
      const once = { charges: 1, reversals: 0 };
      expect(
        served.map((id) => account.get(id)).filter((request) => JSON.stringify(request) !== JSON.stringify(once)),
      ).toEqual([]);
      expect(failed.map((id) => account.get(id)?.charges ?? 0).every((charges) => charges <= 1)).toBe(true);
    }, 90_000);

    it('stand in the audit log as they were answered, and what was sealed opens', async () => {
      const account = await accountOf(tenant);
      const expectedResult = (requestId: string, reversals: number): string => {
        if (reversals > 0) return 'not_disclosed';
        return answers.get(requestId)?.json['found'] === true ? 'found' : 'not_found';
      };
      const expected = [...account].map(([id, { reversals }]) => [id, expectedResult(id, reversals)]).sort();
      // The rows follow the log: what they show at last counts.
      const shown = await eventually('every charge and reversal in the audit log', async () => {
        const entries = await auditOf(tenant);
        const results = [...entries].map(([id, { result }]) => [id, result]).sort();
        return JSON.stringify(results) === JSON.stringify(expected) && entries;
      });
      for (const entry of shown.values()) {
        expect(entry.ip_address).toBe('127.0.0.1');
        expect(entry.identity_hash).toMatch(/^[0-9a-f]{64}$/);
      }
    });
  },
);
