import { PostgresProxy } from '../support/faults/postgres-proxy.js';
import { applicationOf, issuerTokenFor } from '../support/credentials.js';
import { Deployment, LONG_STORE_BUDGET_MS } from '../support/load/deployment.js';
import { freshAddress, type Json } from '../support/load/http.js';
import { enquiry, type Person, person } from '../support/load/people.js';
import { Random } from '../support/load/random.js';
import { ingestAll, type Tenant } from '../support/load/tenants.js';
import { eventually, sleep } from '../support/stack.js';

/** How many tenants attest the person. */
const HOLDERS = [0, 1, 3] as const;
/** Looks at the log between which nothing happens any more. */
const STILL = 12;
const A_LOOK = 100;

let deployment: Deployment;
let keyReads: PostgresProxy;
let asker: Tenant;
let holders: readonly Tenant[];
let people = 64_000;

beforeAll(async () => {
  deployment = await Deployment.start({
    env: {
      ...LONG_STORE_BUDGET_MS,
      TIMING_CHECKPOINT_EVERY_MS: '100',
      TIMING_SETTLE_WITHIN_MS: '250',
      // The day's purge carries every account forward once. It comes a minute after the start, beside whatever is done then.
      TIMING_PURGE_CHECK_EVERY_MS: '3600000',
      LOG_LEVEL: 'warn',
    },
    // It lets everything pass, and counts.
    reachPostgres: async (databaseUrl) => {
      const options = { databaseUrl, random: new Random(1), breaking: 0, stalling: 0, stallFor: 0 };
      keyReads = await PostgresProxy.start({ ...options, statement: /FROM data_keys WHERE id = ANY/ });
      return keyReads.databaseUrl;
    },
  });
  asker = await deployment.operator.tenant({ credits: 1_000, name: 'Asking Bank' });
  holders = await Promise.all(
    [1, 2, 3].map((number) => deployment.operator.tenant({ credits: 10, name: `Attesting Bank ${number}` })),
  );
}, 90_000);
afterAll(async () => {
  await deployment.stop();
  keyReads.stop();
}, 60_000);

/** A person whom that many tenants attest. */
const attestedBy = async (count: number): Promise<Person> => {
  const who = person((people += 1));
  for (const holder of holders.slice(0, count)) await ingestAll(deployment.http, holder, [who]);
  return who;
};

/** No one else does anything, and what followed from the last request has come to its end. */
const untilStill = async (): Promise<void> => {
  let [before, looks] = [-1, 0];
  await eventually('a log in which nothing happens', async () => {
    let size = 0;
    for await (const { stream } of deployment.log.headings()) size += stream === '' ? 0 : 1;
    looks = size === before ? looks + 1 : 0;
    before = size;
    await sleep(A_LOOK);
    return looks >= STILL;
  });
};

const call = (path: string, body?: object) =>
  deployment.http.expect(body === undefined ? 200 : 202, {
    path,
    apiKey: asker.apiKey,
    ...(body === undefined ? {} : { body }),
  });

/** What one own look-up tells the asker of the log: its place there, in its own stream, and the size that was signed. */
interface Reading {
  readonly leafIndex: number;
  readonly revision: number;
  readonly signedSize: number;
}

const sizeOf = (note: string): number => Number(note.split('\n')[1]);

const takeReading = async (): Promise<Reading> => {
  const body = enquiry(person(64_999));
  const path = '/api/v1/check-eligibility';
  const looked = await deployment.http.expect(200, { path, apiKey: asker.apiKey, body });
  const [entry] = await eventually('the look-up in the audit log', async () => {
    const logs = (await call('/api/v1/compliance/audit-log?action=eligibility_check&limit=1')).json['logs'] as Json[];
    return logs[0]?.['request_id'] === looked.header('x-request-id') && logs;
  });
  const proof = await eventually('its proof', async () => {
    const { json } = await call(`/api/v1/proofs/${String(entry?.['id'])}`);
    return (json['proof'] as { leaf_index: number; checkpoint: string } | null | undefined) ?? undefined;
  });
  const { text } = await deployment.http.send({ path: '/transparency/checkpoint', from: freshAddress() });
  const streams: string[] = [];
  for await (const { stream } of deployment.log.headings()) streams.push(stream);
  // This test reads the log, and the service notes it there. An asker does not.
  const countTo = (size: number) => streams.slice(0, size).filter((stream) => !stream.startsWith('security-')).length;
  const leafIndex = countTo(proof.leaf_index);
  return {
    leafIndex,
    revision: Number(looked.header('x-ledger-revision')),
    signedSize: countTo(sizeOf(text)) - leafIndex,
  };
};

/** All that lies between two look-ups, for an asker that does something about a person between them. */
const between = async (work: () => Promise<unknown>): Promise<object> => {
  await untilStill();
  const before = await takeReading();
  await untilStill();
  await work();
  await untilStill();
  const after = await takeReading();
  return {
    events: after.leafIndex - before.leafIndex,
    own: after.revision - before.revision,
    signed: after.signedSize,
  };
};

describe('between two of an asker’s own look-ups', () => {
  it('a claim takes up the same room in the log, whether nobody, one or three attest the person', async () => {
    const observations: object[] = [];
    for (const count of HOLDERS) {
      const who = await attestedBy(count);
      observations.push(await between(() => call('/api/v1/claims', { ...enquiry(who), purpose: 'onboarding' })));
    }
    expect(observations).toEqual(observations.map(() => observations[0]));
  }, 180_000);
});

describe('a refused credential', () => {
  it('asks the stores for the same, whoever attests the person, so that it takes no longer', async () => {
    const token = await issuerTokenFor(deployment.http, asker);
    const refuse = async (who: Person): Promise<void> => {
      const body = { ...applicationOf(who), full_name: 'Nobody Of This Name' };
      await deployment.http.expect(422, { path: '/api/v1/issue', token, body });
    };
    const subjects = await Promise.all(HOLDERS.map((count) => attestedBy(count)));
    // Another process than that which ingested, and so without the keys in its memory.
    await deployment.instance(0).service.stop();
    await deployment.restart(0);
    await refuse(person(64_998));
    await untilStill();
    const reads: number[] = [];
    for (const who of subjects) {
      const before = keyReads.counts.passes;
      await refuse(who);
      reads.push(keyReads.counts.passes - before);
      await untilStill();
    }
    expect(reads).toEqual(reads.map(() => reads[0]));
  }, 180_000);
});
