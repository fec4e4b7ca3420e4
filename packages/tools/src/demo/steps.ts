import { setTimeout as sleep } from 'node:timers/promises';
import { forEachShown, type StepTiming } from './progress.js';
import { type ServiceClient, UnexpectedAnswer } from './service-client.js';
import { type Contact, type Subject } from './subjects.js';

const POLL_MS = 100;
/** How long what was accepted may wait to be processed, and what was audited to be readable. */
const PROCESSED_WITHIN_MS = 120_000;
const AUDITED_WITHIN_MS = 30_000;
const AUDIT_PAGE = 1_000;

/** One line of the closing table: what was counted beside what it has to be. */
export interface Finding {
  readonly what: string;
  readonly expected: number;
  readonly counted: number;
  readonly timing?: StepTiming;
  /** The first answer that was not as it should be. */
  readonly fault?: string | undefined;
}

/** Counts the answers that are as they should be and keeps the first that is not. */
export class Tally {
  private right = 0;
  private fault: string | undefined;

  count(isRight: boolean, answer: unknown): void {
    if (isRight) this.right += 1;
    else this.fault ??= JSON.stringify(answer);
  }

  finding(what: string, expected: number, timing: StepTiming): Finding {
    return { what, expected, counted: this.right, timing, fault: this.fault };
  }
}

export interface Ingested {
  readonly finding: Finding;
  readonly ingestionIds: readonly string[];
}

export const ingest = async (client: ServiceClient, subjects: readonly Subject[], width: number): Promise<Ingested> => {
  const tally = new Tally();
  const ingestionIds: string[] = [];
  const timing = await forEachShown('Ingesting', subjects, width, async (subject) => {
    const record = { ...subject, kyc_status: 'APPROVED', data_source_id: 'demo' };
    const answer = await client.call<{ ingestion_id: string }>('POST', '/api/v1/ingest', record);
    tally.count(answer.status === 202, answer);
    if (answer.status === 202) ingestionIds.push(answer.body.ingestion_id);
  });
  return { finding: tally.finding('accepted', subjects.length, timing), ingestionIds };
};

/** Waits until each ingestion has ended. */
export const awaitProcessing = async (
  client: ServiceClient,
  ingestionIds: readonly string[],
  width: number,
): Promise<Finding> => {
  const tally = new Tally();
  const deadline = performance.now() + PROCESSED_WITHIN_MS;
  const timing = await forEachShown('Waiting for processing', ingestionIds, width, async (id) => {
    const path = `/api/v1/ingest/${id}`;
    let answer = await client.call<{ status: string }>('GET', path);
    while (answer.status === 200 && answer.body.status === 'accepted' && performance.now() < deadline) {
      await sleep(POLL_MS);
      answer = await client.call('GET', path);
    }
    tally.count(answer.body.status === 'completed', answer);
  });
  return tally.finding('processed', ingestionIds.length, timing);
};

interface Eligibility {
  readonly found: boolean;
  readonly tier?: string;
}

const lookUp = (client: ServiceClient, { email, phone_number }: Contact) =>
  client.call<Eligibility>('POST', '/api/v1/check-eligibility', { email, phone_number });

export const lookUpSubjects = async (
  client: ServiceClient,
  subjects: readonly Subject[],
  width: number,
): Promise<Finding> => {
  const tally = new Tally();
  const timing = await forEachShown('Looking them up', subjects, width, async (subject) => {
    const answer = await lookUp(client, subject);
    tally.count(answer.status === 200 && answer.body.found && answer.body.tier === subject.tier, answer);
  });
  return tally.finding('found, each at its tier', subjects.length, timing);
};

export const lookUpStrangers = async (
  client: ServiceClient,
  strangers: readonly Contact[],
  width: number,
): Promise<Finding> => {
  const tally = new Tally();
  const timing = await forEachShown('Looking others up', strangers, width, async (stranger) => {
    const answer = await lookUp(client, stranger);
    tally.count(answer.status === 200 && !answer.body.found && answer.body.tier === undefined, answer);
  });
  return tally.finding('others, not found', strangers.length, timing);
};

interface AuditEntry {
  readonly id: string;
  readonly identity_hash: string;
  readonly result: string;
}

interface AuditPage {
  readonly logs: readonly AuditEntry[];
  readonly pagination: { readonly total: number; readonly has_more: boolean };
}

const auditPage = (client: ServiceClient, limit: number, offset: number): Promise<AuditPage> =>
  client.expect(
    'GET',
    `/api/v1/compliance/audit-log?action=eligibility_check&limit=${String(limit)}&offset=${String(offset)}`,
  );

const awaitEntries = async (client: ServiceClient, count: number): Promise<void> => {
  const deadline = performance.now() + AUDITED_WITHIN_MS;
  while ((await auditPage(client, 1, 0)).pagination.total < count && performance.now() < deadline) await sleep(POLL_MS);
};

const allEntries = async (client: ServiceClient): Promise<AuditEntry[]> => {
  const entries: AuditEntry[] = [];
  for (let more = true; more;) {
    const page = await auditPage(client, AUDIT_PAGE, entries.length);
    entries.push(...page.logs);
    more = page.pagination.has_more;
    if (more && page.logs.length === 0) throw new UnexpectedAnswer('GET', 'audit-log', 200, page.pagination);
  }
  return entries;
};

/** The audit log as the account reads it: one entry for each look-up, each of another person, with its result. */
export const readAuditLog = async (client: ServiceClient, found: number, notFound: number): Promise<Finding[]> => {
  await awaitEntries(client, found + notFound);
  const entries = await allEntries(client);
  const having = (result: string): number => entries.filter((entry) => entry.result === result).length;
  const distinct = (values: readonly string[]): number => new Set(values).size;
  return [
    { what: 'audit entries of look-ups', expected: found + notFound, counted: entries.length },
    { what: '… with an id of their own', expected: found + notFound, counted: distinct(entries.map(({ id }) => id)) },
    {
      what: '… of different people',
      expected: found + notFound,
      counted: distinct(entries.map((entry) => entry.identity_hash)),
    },
    { what: '… with result found', expected: found, counted: having('found') },
    { what: '… with result not_found', expected: notFound, counted: having('not_found') },
  ];
};

export const readBalance = async (client: ServiceClient, expected: number): Promise<Finding> => {
  const { credits } = await client.expect<{ credits: number }>('GET', '/billing/credits');
  return { what: 'credits left', expected, counted: credits };
};
