import { randomBytes } from 'node:crypto';
import { type KycClient } from '@kyc/client';
import { type Account, openAccount, signInIssuer, signInOperator } from './account.js';
import { checkCompliance, COMPLIANCE_CREDITS } from './compliance.js';
import { CREDENTIAL_CREDITS, issueAll, revokeAll, verifyAll } from './credentials.js';
import { liveThroughMonth } from './history.js';
import { type DemoOptions, parseOptions } from './options.js';
import { inventPeople } from './people/invented.js';
import { findLists, readPeople } from './people/people.js';
import { type Person } from './people/person.js';
import { ensureService } from './running-service.js';
import {
  awaitProcessing,
  type Finding,
  ingest,
  lookUpStrangers,
  lookUpSubjects,
  readAuditLog,
  readBalance,
} from './steps.js';
import { strangersTo, subjectsOf } from './subjects.js';
import { describePeople, isAsExpected, summary } from './summary.js';
import { type DemoReceiver, startDemoReceiver } from './webhooks.js';

/** What the account has left when all went well. */
const SPARE_CREDITS = 100;

const peopleFor = async ({ people: path, count }: DemoOptions): Promise<Person[]> => {
  if (path === undefined) return inventPeople(count);
  const lists = await findLists(path);
  for (const list of lists) console.log(`${list.path}: ${list.format.name}`);
  const people = await readPeople(lists, count);
  if (people.length < count) console.log(`The lists hold ${people.length} people, fewer than ${count}.`);
  return people;
};

const demonstrate = async (
  { client }: Account,
  issuer: KycClient,
  receiver: DemoReceiver,
  people: readonly Person[],
  width: number,
): Promise<Finding[]> => {
  const run = randomBytes(3).toString('hex');
  const subjects = subjectsOf(people, run);
  const strangers = strangersTo(subjects, run);
  const ingested = await ingest(client, subjects, width);
  const before = [
    ingested.finding,
    await awaitProcessing(client, ingested.ingestionIds, width),
    ...(await receiver.findings(ingested.ingestionIds)),
    await lookUpSubjects(client, subjects, width),
    await lookUpStrangers(client, strangers, width),
    ...(await readAuditLog(client, subjects.length, strangers.length)),
    ...(await Promise.all(subjects.slice(0, 1).map((subject) => checkCompliance(client, subject)))).flat(),
  ];
  const issued = await issueAll(issuer, subjects, width);
  const credentials = [
    issued.finding,
    await verifyAll(client, issued.credentials, width, 'valid'),
    await revokeAll(client, issued.credentials, width),
    await verifyAll(client, issued.credentials, width, 'REVOKED'),
  ];
  return [...before, ...credentials, await readBalance(client, SPARE_CREDITS)];
};

const run = async (options: DemoOptions): Promise<boolean> => {
  const people = await peopleFor(options);
  console.log(describePeople(people));
  const service = await ensureService();
  try {
    console.log(`Service: ${service.deployment.base_url}${service.found ? '' : ' (started for this demo)'}`);
    const compliance = people.length > 0 ? COMPLIANCE_CREDITS : 0;
    const credits = (2 + CREDENTIAL_CREDITS) * people.length + compliance + SPARE_CREDITS;
    const operator = await signInOperator(service.deployment);
    const account = await openAccount(service.deployment, operator, { name: 'Demo on a list', credits });
    const issuer = await signInIssuer(service.deployment, account.tenantId);
    console.log(`Account: ${account.tenantId}`);
    const receiver = await startDemoReceiver({ baseUrl: service.deployment.base_url, apiKey: account.apiKey });
    try {
      const findings = await demonstrate(account, issuer, receiver, people, options.concurrency);
      console.log(`\n${summary(findings)}`);
      return findings.every(isAsExpected);
    } finally {
      await receiver.close();
    }
  } finally {
    await service.release();
  }
};

try {
  const options = parseOptions(process.argv.slice(2));
  if ('exitStatus' in options) process.exitCode = options.exitStatus;
  else if (options.history === true) await liveThroughMonth();
  else process.exitCode = (await run(options)) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
