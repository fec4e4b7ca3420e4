import { decodeJwt } from 'jose';
import { type CredentialEvent } from '../../src/credentials/domain/credential.events.js';
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
import { balanceOf, ingestAll, type Tenant } from '../support/load/tenants.js';
import { Traffic } from '../support/load/traffic.js';
import { eventually, eventuallyNone, sleep } from '../support/stack.js';

const KNOWN = 20;
const INITIAL_CREDITS = 200_000;
/** 60 s of uptime at a twentieth, and as much again for a machine that does other things. */
const CLOSED_WITHIN = 6_000;
/** Answered credentials that are verified at the end of a trial. */
const VERIFIED = 50;

const targets = new Targets((name) => (name === 'embedded' ? EmbeddedTarget.start() : SharedTarget.start()));

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

/** The ids of the tenant's credentials in the log, each as often as it was issued. */
const issuedIn = async (log: LogReader, { tenantId }: Tenant): Promise<string[]> => {
  const ids: string[] = [];
  for await (const { stream, type, text } of log.everything()) {
    if (type !== ('CredentialIssued.v1' satisfies CredentialEvent['type'])) continue;
    if (!stream.startsWith(`credential-${tenantId}_`)) continue;
    ids.push(/"credentialId":"([^"]+)"/.exec(text)?.[1] ?? '');
  }
  return ids;
};

const answersOf = (errands: readonly Errand[]) =>
  errands
    .filter(({ kind }) => kind === 'issue')
    .flatMap((errand) => finalOf(errand) ?? [])
    .map(({ text }) => JSON.parse(text) as { token: string; public_key: string });

const idOf = ({ token }: { token: string }): string => decodeJwt(token).jti?.slice('urn:uuid:'.length) ?? '';

const faults = async (target: Target, tenant: Tenant, { errands }: Traffic): Promise<string[]> => {
  const log = target.openLog();
  try {
    const statement = await closedStatement(log, tenant);
    const audit = await log.audit(tenant.tenantId);
    const balance = await balanceOf(firstOf(target), tenant);
    const evidence = { errands, statement, audit, initial: INITIAL_CREDITS, acceptances: [], balance };
    const issued = await issuedIn(log, tenant);
    const answered = answersOf(errands).map(idOf);
    return [
      ...violations(evidence),
      ...answered.filter((id) => !issued.includes(id)).map((id) => `${id} was answered and is not in the log`),
      ...(new Set(issued).size === issued.length ? [] : ['a credential was issued twice']),
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
    mix: ['issue', 'issue', 'issue', 'check'],
    bearer: await issuerTokenFor(http, tenant),
  });
  await sleep(trial.after);
  await target.strike(trial.part, trial.random);
  await sleep(500);
  await traffic.stop();
  return { tenant, traffic };
};

describe(`kill -9 while credentials are issued, seed ${seed}`, () => {
  afterAll(() => targets.stop(), 60_000);

  it.each(drawTrials())(
    'trial $number: $part of $target after $after ms: what was answered is in the log, charged once and valid',
    (trial) =>
      targets.during(trial, async (target) => {
        const { tenant, traffic } = await strikeUnderLoad(target, trial);
        const answers = answersOf(traffic.errands);
        expect(answers.length).toBeGreaterThan(0);
        expect(await eventuallyNone(() => faults(target, tenant, traffic), CLOSED_WITHIN)).toEqual([]);
        for (const { token, public_key: publicKey } of answers.slice(-VERIFIED)) {
          expect(await verdictOf(firstOf(target), tenant, { token, publicKey, jti: '' })).toBe('valid');
        }
        if (trial.verified) expect(await rebuildDifferences(await target.stores())).toEqual([]);
      }),
    120_000,
  );
});
