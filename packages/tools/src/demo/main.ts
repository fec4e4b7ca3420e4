import { randomBytes } from 'node:crypto';
import { type Account, openAccount, signInOperator } from './account.js';
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

const demonstrate = async (account: Account, people: readonly Person[], width: number): Promise<Finding[]> => {
  const { client } = account;
  const run = randomBytes(3).toString('hex');
  const subjects = subjectsOf(people, run);
  const strangers = strangersTo(subjects, run);
  const ingested = await ingest(client, subjects, width);
  return [
    ingested.finding,
    await awaitProcessing(client, ingested.ingestionIds, width),
    await lookUpSubjects(client, subjects, width),
    await lookUpStrangers(client, strangers, width),
    ...(await readAuditLog(client, subjects.length, strangers.length)),
    await readBalance(client, SPARE_CREDITS),
  ];
};

const run = async (options: DemoOptions): Promise<boolean> => {
  const people = await peopleFor(options);
  console.log(describePeople(people));
  const service = await ensureService();
  try {
    console.log(`Service: ${service.deployment.base_url}${service.found ? '' : ' (started for this demo)'}`);
    const operator = await signInOperator(service.deployment);
    const account = await openAccount(operator, { name: 'Demo on a list', credits: 2 * people.length + SPARE_CREDITS });
    console.log(`Account: ${account.tenantId}`);
    const findings = await demonstrate(account, people, options.concurrency);
    console.log(`\n${summary(findings)}`);
    return findings.every(isAsExpected);
  } finally {
    await service.release();
  }
};

try {
  const options = parseOptions(process.argv.slice(2));
  if ('exitStatus' in options) process.exitCode = options.exitStatus;
  else process.exitCode = (await run(options)) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
