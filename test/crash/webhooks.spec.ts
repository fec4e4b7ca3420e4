import { createHmac } from 'node:crypto';
import { ANNOUNCEMENT_TYPES } from '../../src/kernel/contract.js';
import { EmbeddedTarget, SharedTarget, type Target } from '../support/faults/targets.js';
import { drawTrials, seed, Targets, type Trial } from '../support/faults/trials.js';
import { type Http } from '../support/load/http.js';
import { CALLERS_PAUSE } from '../support/load/pause.js';
import { person } from '../support/load/people.js';
import { type Tenant } from '../support/load/tenants.js';
import { TestReceiver } from '../support/receiver.js';
import { eventually, eventuallyNone, sleep } from '../support/stack.js';

/** An endpoint whose instance died is taken over after 20 s, and a store may be away before that. */
const DELIVERED_WITHIN = 90_000;
const PEOPLE = 1_000;
const CALLERS = 6;

const targets = new Targets((name) => (name === 'embedded' ? EmbeddedTarget.start() : SharedTarget.start()));

interface Envelope {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

interface Delivery {
  readonly event_id: string;
  readonly status: string;
  readonly attempts: readonly { readonly attempt: number; readonly response_status: number | null }[];
}

/** Ingests until it is stopped. Returns the ids of the ingestions that were accepted. */
const ingesting = (target: Target, { apiKey }: Tenant, first: number) => {
  let stopped = false;
  const accepted: string[] = [];
  let next = first;
  const call = async (number: number): Promise<void> => {
    while (!stopped) {
      const http = target.https[number % target.https.length] as Http;
      const body = { ...person((next += 1)), kyc_status: 'APPROVED' };
      const answer = await http.send({ path: '/api/v1/ingest', apiKey, body, timeoutMs: 5_000 }).catch(() => undefined);
      if (answer?.status === 202) accepted.push(String(answer.json['ingestion_id']));
      await sleep(answer?.status === 202 ? CALLERS_PAUSE : 50);
    }
  };
  const callers = Array.from({ length: CALLERS }, (_, number) => call(number));
  return { accepted, stop: () => ((stopped = true), Promise.all(callers)) };
};

const strikeUnderLoad = async (target: Target, { number, after, part, random }: Trial, tenant: Tenant) => {
  const load = ingesting(target, tenant, number * PEOPLE);
  await eventually('the first ingestions', () => load.accepted.length > 10);
  await sleep(after);
  await target.strike(part, random);
  const before = load.accepted.length;
  await eventually('ingestions after the strike', () => load.accepted.length > before + 10);
  await load.stop();
  return load.accepted;
};

const pagesOf = async <Item>(
  read: (last: Item | undefined) => Promise<{ items: Item[]; more: boolean }>,
): Promise<Item[]> => {
  const all: Item[] = [];
  for (;;) {
    const { items, more } = await read(all.at(-1));
    all.push(...items);
    if (!more) return all;
  }
};

const feedOf = (http: Http, { apiKey }: Tenant): Promise<Envelope[]> =>
  pagesOf(async (last) => {
    const path = `/api/v1/events?limit=1000${last === undefined ? '' : `&after=${last.id}`}`;
    const { json } = await http.expect(200, { path, apiKey });
    return { items: json['events'] as Envelope[], more: json['has_more'] === true };
  });

const deliveriesOf = (http: Http, { apiKey }: Tenant, endpointId: string): Promise<Delivery[]> =>
  pagesOf(async (last: (Delivery & { readonly id: string }) | undefined) => {
    const path = `/api/v1/webhooks/endpoints/${endpointId}/deliveries?limit=100${last === undefined ? '' : `&before=${last.id}`}`;
    const { json } = await http.expect(200, { path, apiKey });
    return { items: json['deliveries'] as (Delivery & { id: string })[], more: json['has_more'] === true };
  });

describe(`kill -9 in the middle of dispatch, seed ${seed}`, () => {
  let receiver: TestReceiver;
  beforeAll(async () => {
    receiver = await TestReceiver.start();
  });
  afterAll(async () => {
    await targets.stop();
    await receiver.stop();
  }, 60_000);

  it.each(drawTrials())(
    'trial $number: $part of $target after $after ms: every event arrives, signed, and every try is noted',
    (trial) =>
      targets.during(trial, async (target) => {
        const tenant = await target.operator.tenant({ credits: 0 });
        const http = target.https[0] as Http;
        const path = `/trial-${trial.number}`;
        const body = { url: receiver.url(path), events: ANNOUNCEMENT_TYPES };
        const { json } = await http.expect(201, { path: '/api/v1/webhooks/endpoints', apiKey: tenant.apiKey, body });
        const [endpointId, secret] = [String(json['id']), String(json['secret'])];
        let requests = 0;
        receiver.behaviours.set(path, ({ headers, body: raw }, response) => {
          const timestamp = String(headers['x-service-timestamp']);
          const digest = createHmac('sha256', secret).update(`${timestamp}.${raw}`).digest('hex');
          const isSigned = headers['x-service-signature'] === `sha256=${digest}`;
          requests += 1;
          // One in nine is refused once, and comes again.
          const refused = headers['x-service-attempt'] === '1' && requests % 9 === 0;
          response.writeHead(isSigned && !refused ? 200 : 500).end();
        });
        const accepted = await strikeUnderLoad(target, trial, tenant);
        const completed = (envelopes: readonly Envelope[]): Set<unknown> =>
          new Set(envelopes.filter(({ type }) => type === 'ingestion.completed').map(({ data }) => data['batch_id']));
        await eventually(
          'every announcement',
          async () => {
            const announced = completed(await feedOf(http, tenant));
            return accepted.every((id) => announced.has(id));
          },
          DELIVERED_WITHIN,
        );
        // An ingestion whose answer was lost may be announced later.
        const open = async (): Promise<string[]> => {
          const feed = await feedOf(http, tenant);
          const delivered = (await deliveriesOf(http, tenant, endpointId)).filter(
            ({ status }) => status === 'delivered',
          );
          const ids = new Set(delivered.map((delivery) => delivery.event_id));
          return feed.filter(({ id }) => !ids.has(id)).map(({ id, type }) => `${type} ${id}`);
        };
        expect(await eventuallyNone(open, DELIVERED_WITHIN)).toEqual([]);
        const feed = await feedOf(http, tenant);
        const arrived = new Set(receiver.ids(path));
        expect(feed.filter(({ id }) => !arrived.has(id))).toEqual([]);
        const created = feed.filter(({ type }) => type === 'identity.created');
        expect(created.length).toBeGreaterThanOrEqual(accepted.length);
        expect(new Set(feed.map(({ id }) => id)).size).toBe(feed.length);
        for (const { attempts } of await deliveriesOf(http, tenant, endpointId)) {
          expect(attempts.map(({ attempt }) => attempt)).toEqual(attempts.map((_, index) => index + 1));
          expect(attempts.at(-1)?.response_status).toBe(200);
        }
      }),
    2 * DELIVERED_WITHIN + 60_000,
  );
});
