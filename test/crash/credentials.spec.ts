import { redeem } from '@kyc/tools/wallet/wallet-client';
import { decodeJwt } from 'jose';
import {
  CREDENTIAL_STREAM_PREFIX,
  type CredentialEvent,
  credentialStream,
} from '../../src/credentials/domain/credential.events.js';
import { type OfferEvent } from '../../src/credentials/domain/offer.events.js';
import { violations } from '../support/checks/invariants.js';
import { type LogReader } from '../support/checks/log-reader.js';
import { rebuildDifferences } from '../support/checks/rebuilds.js';
import { openOf, stated, type Statement } from '../support/checks/statement.js';
import { issuerTokenFor, verdictOf } from '../support/credentials.js';
import { EmbeddedTarget, SharedTarget, type Target } from '../support/faults/targets.js';
import { drawTrials, seed, Targets, type Trial } from '../support/faults/trials.js';
import { type Http } from '../support/load/http.js';
import { type Errand, finalOf } from '../support/load/journal.js';
import { person } from '../support/load/people.js';
import { type Random } from '../support/load/random.js';
import { balanceOf, ingestAll, type Tenant } from '../support/load/tenants.js';
import { Traffic } from '../support/load/traffic.js';
import { eventually, eventuallyNone, sleep } from '../support/stack.js';

const KNOWN = 20;
const INITIAL_CREDITS = 200_000;
/** Credits of an issuance. */
const COST = 10;
/** 60 s of uptime at a twentieth, and as much again for a machine that does other things. */
const CLOSED_WITHIN = 6_000;
/** Answered credentials that are verified at the end of a trial. */
const VERIFIED = 50;

/** An offer ends within seconds, and its credits are given back. */
const SHORT_OFFERS = { TIMING_OFFER_LASTS_MS: '3000', TIMING_AGE_EVERY_MS: '250' };
const OFFERS_ENDED_WITHIN = 15_000;

const targets = new Targets((name) =>
  name === 'embedded' ? EmbeddedTarget.start(SHORT_OFFERS) : SharedTarget.start(SHORT_OFFERS),
);

const firstOf = ({ https }: Target): Http => {
  const [http] = https;
  if (http === undefined) throw new Error('a target has an instance');
  return http;
};

const closedStatement = (log: LogReader, tenant: Tenant): Promise<Statement> =>
  eventually(
    'the end of every deduction',
    async () => {
      const statement = stated(await log.credits(tenant.tenantId));
      return openOf(statement).length === 0 && statement;
    },
    CLOSED_WITHIN,
  ).catch(async () => stated(await log.credits(tenant.tenantId)));

/** The types of events in each stream of the tenant's credentials. */
const credentialsIn = async (log: LogReader, { tenantId }: Tenant): Promise<ReadonlyMap<string, string[]>> => {
  const prefix = `${CREDENTIAL_STREAM_PREFIX}${tenantId}_`;
  const types = new Map<string, string[]>();
  for await (const { stream, type } of log.everything()) {
    if (stream.startsWith(prefix)) types.set(stream, [...(types.get(stream) ?? []), type]);
  }
  return types;
};

const ISSUED: CredentialEvent['type'] = 'CredentialIssued.v1';
const OFFERED: OfferEvent['type'] = 'CredentialOffered.v1';
const ENDED: OfferEvent['type'] = 'OfferEnded.v1';
const WITHDRAWN: CredentialEvent['type'] = 'CredentialWithdrawn.v1';

const timesOf = (types: readonly string[], type: string): number => types.filter((each) => each === type).length;

/** Each offer that was paid for is a credential, or has ended and its credits are back. */
const faultsOfOffers = (
  credentials: ReadonlyMap<string, string[]>,
  { tenantId }: Tenant,
  { deductions, returned }: Statement,
): string[] =>
  [...deductions.values()].flatMap(({ deductionId, ends }) => {
    const types = credentials.get(credentialStream(tenantId, deductionId)) ?? [];
    if (!types.includes(OFFERED)) return [];
    if (ends[0] !== 'settled') {
      const isUnpaid = types.includes(ISSUED) && !types.includes(WITHDRAWN);
      return isUnpaid ? [`offer ${deductionId}: issued and not paid`] : [];
    }
    const found = `${timesOf(types, ISSUED)} ${timesOf(types, ENDED)} ${returned.get(deductionId) ?? 0}`;
    return found === '1 0 0' || found === `0 1 ${COST}`
      ? []
      : [`offer ${deductionId}: issued, ended, given back: ${found}`];
  });

const answersOf = (errands: readonly Errand[]) =>
  errands
    .filter((errand) => errand.kind === 'issue')
    .flatMap((errand) => finalOf(errand) ?? [])
    .map(({ text }) => JSON.parse(text) as { token: string; public_key: string });

const idOf = ({ token }: { token: string }): string => decodeJwt(token).jti?.slice('urn:uuid:'.length) ?? '';

/** Offers that wallets took, over all trials. */
let taken = 0;

/** A wallet takes two of three offers. Whatever fails, fails: the log is looked at later. */
const takeOffer =
  (random: Random) =>
  async (errand: Errand): Promise<void> => {
    const answer = errand.kind === 'offer' ? finalOf(errand) : undefined;
    if (answer === undefined || random.next() > 0.67) return;
    const { deep_link: link } = JSON.parse(answer.text) as { deep_link: string };
    await redeem({ link }).then(
      () => (taken += 1),
      () => undefined,
    );
  };

const faults = async (target: Target, tenant: Tenant, { errands }: Traffic): Promise<string[]> => {
  const log = target.openLog();
  try {
    const statement = await closedStatement(log, tenant);
    const audit = await log.audit(tenant.tenantId);
    const balance = await balanceOf(firstOf(target), tenant);
    const evidence = { errands, statement, audit, initial: INITIAL_CREDITS, acceptances: [], balance };
    const credentials = await credentialsIn(log, tenant);
    const isIssued = (id: string) => credentials.get(credentialStream(tenant.tenantId, id))?.includes(ISSUED);
    const answered = answersOf(errands).map(idOf);
    return [
      ...violations(evidence),
      ...answered.filter((id) => isIssued(id) !== true).map((id) => `${id} was answered and is not in the log`),
      ...[...credentials]
        .filter(([, types]) => timesOf(types, ISSUED) > 1)
        .map(([stream]) => `${stream} was issued twice`),
      ...faultsOfOffers(credentials, tenant, statement),
    ];
  } finally {
    await log.close();
  }
};

const strikeUnderLoad = async (target: Target, trial: Trial): Promise<{ tenant: Tenant; traffic: Traffic }> => {
  const http = firstOf(target);
  const tenant = await target.operator.tenant({ credits: INITIAL_CREDITS });
  const people = Array.from({ length: KNOWN }, (_, index) => person(index));
  await ingestAll(http, tenant, people);
  const traffic = new Traffic({
    https: target.https,
    tenant,
    operator: target.operator,
    random: trial.random.fork(),
    callers: 16,
    known: KNOWN,
    newcomers: 1_000,
    mix: ['issue', 'issue', 'issue', 'check', 'offer', 'offer'],
    answered: takeOffer(trial.random.fork()),
    bearer: await issuerTokenFor(http, tenant),
  });
  await sleep(trial.after);
  await target.strike(trial.part, trial.random);
  await sleep(500);
  await traffic.stop();
  return { tenant, traffic };
};

describe(`kill -9 while credentials are issued and offered, seed ${seed}`, () => {
  afterAll(async () => {
    await targets.stop();
    expect(taken).toBeGreaterThan(0);
  }, 60_000);

  it.each(drawTrials())(
    'trial $number: $part of $target after $after ms: what was answered is in the log, charged once and valid; what was offered is issued or given back',
    (trial) =>
      targets.during(trial, async (target) => {
        const { tenant, traffic } = await strikeUnderLoad(target, trial);
        const answers = answersOf(traffic.errands);
        expect(answers.length).toBeGreaterThan(0);
        expect(await eventuallyNone(() => faults(target, tenant, traffic), OFFERS_ENDED_WITHIN)).toEqual([]);
        for (const { token, public_key: publicKey } of answers.slice(-VERIFIED)) {
          expect(await verdictOf(firstOf(target), tenant, { token, publicKey, jti: '' })).toBe('valid');
        }
        if (trial.verified) expect(await rebuildDifferences(await target.stores())).toEqual([]);
      }),
    120_000,
  );
});
