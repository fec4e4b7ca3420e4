import { answer, type KycClient } from '@kyc/client';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pMap from 'p-map';
import { dataDirectory } from '../data-directory.js';
import { type LocalReceiver, startLocalReceiver } from '../webhooks/local-receiver.js';
import { clientOf, signInIssuer, signInOperator } from './account.js';
import { inventPeople } from './people/invented.js';
import { type DemoDeployment, startService } from './running-service.js';
import { strangersTo, type Subject, subjectsOf } from './subjects.js';

/** Days before today on which something happens: the service is started once for each. */
const DAYS_AGO = [30, 28, 26, 25, 23, 21, 19, 18, 16, 14, 12, 11, 9, 7, 5, 4, 3, 2, 1, 0];
/** People who become known in the month. */
const PEOPLE = 240;
const WIDTH = 8;
const CREDITS_A_DAY = 400;

interface Day {
  readonly index: number;
  readonly key: KycClient;
  readonly issuer: KycClient;
  /** Who is known from this day on. */
  readonly fresh: readonly Subject[];
  readonly known: readonly Subject[];
}

/** The same number for the same place each time: the month is varied, and one run is like the other. */
const between = (least: number, most: number, seed: number): number => {
  const noise = Math.abs(Math.sin(seed * 12.9898) * 43_758.5453) % 1;
  return least + Math.floor(noise * (most - least + 1));
};

const ingest = async ({ key, fresh, index }: Day): Promise<void> => {
  await pMap(
    fresh,
    (subject, at) => {
      const unusual = at % 11 === 3 ? 'PENDING_REVIEW' : 'REJECTED';
      const kyc_status = at % 11 === 3 || at % 17 === 5 ? unusual : 'APPROVED';
      return answer(key.POST('/api/v1/ingest', { body: { ...subject, kyc_status } }));
    },
    { concurrency: WIDTH },
  );
  const [refused, ...others] = fresh;
  // A file of the branch, in which a line is wrong.
  if (index % 4 === 2 && refused !== undefined && others.length > 0) {
    const records = [{ ...refused, email: 'not an address' }, ...others].map((record) => ({
      ...record,
      kyc_status: 'APPROVED' as const,
    }));
    await answer(key.POST('/api/v1/ingest/batch', { body: { records } }));
  }
};

const lookUp = async ({ key, known, index }: Day): Promise<void> => {
  const asked = Array.from(
    { length: between(15, 70, index) },
    (_, at) => known[between(0, known.length - 1, 7 * index + at)],
  );
  const strangers = strangersTo(known.slice(0, between(2, 9, index + 1)), `s${index}`);
  const people = [...asked.flatMap((subject) => subject ?? []), ...strangers];
  await pMap(
    people,
    ({ email, phone_number }) => answer(key.POST('/api/v1/check-eligibility', { body: { email, phone_number } })),
    { concurrency: WIDTH },
  );
};

const LISTED = ['Potential Testmatch', 'Confirmed Testmatch'] as const;

const screen = async ({ key, known, index }: Day): Promise<void> => {
  for (const { full_name, email, phone_number } of known.slice(-between(2, 6, index + 2))) {
    await answer(key.POST('/api/v1/compliance/sanctions', { body: { full_name } }));
    if (index % 3 === 0) await answer(key.POST('/api/v1/compliance/pep', { body: { full_name } }));
    if (index % 2 === 0) await answer(key.POST('/api/v1/assess-risk', { body: { email, phone_number, full_name } }));
  }
  const full_name = LISTED[index % 2] ?? LISTED[0];
  const date_of_birth = `${between(1950, 2000, index)}-0${between(1, 9, index + 5)}-1${between(0, 9, index + 9)}`;
  if (index % 2 === 0 || index % 5 === 3)
    await answer(key.POST('/api/v1/compliance/sanctions', { body: { full_name, date_of_birth } }));
  const { matches } = await answer(key.GET('/api/v1/compliance/matches', { params: { query: { status: 'open' } } }));
  const [oldest] = matches.toReversed();
  if (index % 4 !== 3 || oldest === undefined) return;
  const params = { path: { match_id: oldest.match_id } };
  const body = { reason: 'Another date and place of birth in the passport' };
  await answer(key.POST('/api/v1/compliance/matches/{match_id}/dismiss', { params, body }));
};

const issue = async ({ key, issuer, known, index }: Day): Promise<void> => {
  for (const { date_of_birth: dob, ...subject } of known.slice(0, between(1, 4, index + 3))) {
    if (dob === undefined) continue;
    const sent = await issuer.POST('/api/v1/issue', { body: { ...subject, dob } });
    // Somebody in review, or rejected: nothing is issued and nothing is charged.
    if (sent.data === undefined) continue;
    const { token, public_key, credential_id } = sent.data;
    await answer(key.POST('/api/v1/verify', { body: { token, public_key_pem: public_key } }));
    const params = { path: { jti: credential_id } };
    const reason = 'The customer has left';
    if (index % 5 === 1) await answer(key.POST('/api/v1/credentials/{jti}/revoke', { params, body: { reason } }));
    else if (index % 5 === 3) await answer(key.POST('/api/v1/credentials/{jti}/suspend', { params, body: { reason } }));
  }
};

const report = async ({ key, index }: Day): Promise<void> => {
  if (index % 7 !== 6) return;
  const end = Date.now() - (DAYS_AGO[index] ?? 0) * 86_400_000;
  const [start_date, end_date] = [end - 7 * 86_400_000, end].map((time) => new Date(time).toISOString().slice(0, 10));
  const body = { start_date: start_date ?? '', end_date: end_date ?? '', format: 'pdf' } as const;
  await answer(key.POST('/api/v1/compliance/report', { body }));
};

const leave = async ({ key, known, index }: Day): Promise<void> => {
  const { email, phone_number } = known[index] ?? {};
  if (index % 6 !== 4 || email === undefined || phone_number === undefined) return;
  const { identities } = await answer(key.POST('/api/v1/identities/search', { body: { email, phone_number } }));
  for (const { identity_id: id } of identities)
    await answer(key.DELETE('/api/v1/identity/{id}', { params: { path: { id } } }));
};

/** A receiver that is away now and then, as real ones are. The clock of the service is days behind its own. */
const startReceiver = async () => {
  let isAway = false;
  const receiver = await startLocalReceiver(0, {
    toleranceSeconds: Infinity,
    onEvent: () => {
      if (isAway) throw new Error('away');
    },
  });
  return { ...receiver, away: (away: boolean) => (isAway = away) };
};

const EVENTS = ['identity.created', 'identity.flagged', 'credential.issued', 'sanctions.match'] as const;

const prepare = async (
  deployment: DemoDeployment,
  receiver: Pick<LocalReceiver, 'url' | 'trust'>,
  credits: number,
): Promise<void> => {
  const operator = await signInOperator(deployment);
  const params = { path: { id: deployment.tenant_id } };
  const limits = { rate_limit_per_minute: 1_000_000, burst_per_second: 1_000_000 };
  await answer(operator.PATCH('/admin/accounts/{id}', { params, body: limits }));
  await answer(
    operator.POST('/admin/accounts/{id}/credits', { params, body: { amount: credits, reason: 'Contract' } }),
  );
  const key = clientOf(deployment.base_url, { apiKey: deployment.api_key });
  const { endpoints } = await answer(key.GET('/api/v1/webhooks/endpoints'));
  if (endpoints.length > 0) return;
  const body = { url: receiver.url, events: [...EVENTS] };
  const { secret } = await answer(key.POST('/api/v1/webhooks/endpoints', { body }));
  receiver.trust(secret ?? '');
};

const live = async (deployment: DemoDeployment, index: number, people: readonly Subject[]): Promise<void> => {
  const share = PEOPLE / DAYS_AGO.length;
  const known = people.slice(0, Math.ceil((index + 1) * share));
  const day: Day = {
    index,
    key: clientOf(deployment.base_url, { apiKey: deployment.api_key }),
    issuer: await signInIssuer(deployment, deployment.tenant_id),
    fresh: people.slice(Math.ceil(index * share), known.length),
    known,
  };
  for (const step of [ingest, lookUp, screen, issue, report, leave]) await step(day);
};

/**
 * Fills a new data folder with a month of varied activity in the demo account. The service is started for each of its days with a clock
 * that is so many days behind.
 */
export const liveThroughMonth = async (): Promise<void> => {
  const dataDir = dataDirectory();
  if (existsSync(join(dataDir, 'demo-account.json')))
    throw new Error(`${dataDir} has a history already. Name a new folder: DATA_DIR=.history npm run demo -- --history`);
  const people = subjectsOf(inventPeople(PEOPLE), 'month');
  const receiver = await startReceiver();
  const begun = performance.now();
  try {
    for (const [index, daysAgo] of DAYS_AGO.entries()) {
      const service = await startService(dataDir, daysAgo);
      try {
        receiver.away(index % 6 === 5);
        const isMonthly = index === 0 || index % 5 === 0;
        await prepare(service.deployment, receiver, isMonthly ? 5 * CREDITS_A_DAY : 1);
        await live(service.deployment, index, people);
      } finally {
        await service.release();
      }
      const seconds = (performance.now() - begun) / 1_000;
      const left = Math.round((seconds / (index + 1)) * (DAYS_AGO.length - index - 1));
      console.log(`${daysAgo} days ago: day ${index + 1} of ${DAYS_AGO.length}, ${left} s left`);
    }
  } finally {
    receiver.close();
  }
  console.log(
    `A month of activity is in ${dataDir}: DATA_DIR=${dataDir} npm start, and follow the link to the console.`,
  );
};
