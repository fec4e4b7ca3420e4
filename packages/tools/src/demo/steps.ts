import { setTimeout as sleep } from 'node:timers/promises';
import { answer, type components, type KycClient } from '@kyc/client';
import { forEachShown, type StepTiming } from './progress.js';
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

/** An answer for people. */
export const shown = ({
  data,
  error,
  response,
}: {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}): string => `${response.status} ${JSON.stringify(data ?? error)}`;

/** Counts the answers that are as they should be and keeps the first that is not. */
export class Tally {
  private right = 0;
  private fault: string | undefined;

  count(isRight: boolean, fault: () => string): void {
    if (isRight) this.right += 1;
    else this.fault ??= fault();
  }

  finding(what: string, expected: number, timing: StepTiming): Finding {
    return { what, expected, counted: this.right, timing, fault: this.fault };
  }
}

export interface Ingested {
  readonly finding: Finding;
  readonly ingestionIds: readonly string[];
}

export const ingest = async (client: KycClient, subjects: readonly Subject[], width: number): Promise<Ingested> => {
  const tally = new Tally();
  const ingestionIds: string[] = [];
  const timing = await forEachShown('Ingesting', subjects, width, async (subject) => {
    const record = { ...subject, kyc_status: 'APPROVED', data_source_id: 'demo' } as const;
    const answered = await client.POST('/api/v1/ingest', { body: record });
    tally.count(answered.data !== undefined, () => shown(answered));
    if (answered.data !== undefined) ingestionIds.push(answered.data.ingestion_id);
  });
  return { finding: tally.finding('accepted', subjects.length, timing), ingestionIds };
};

/** Waits until each ingestion has ended. */
export const awaitProcessing = async (
  client: KycClient,
  ingestionIds: readonly string[],
  width: number,
): Promise<Finding> => {
  const tally = new Tally();
  const deadline = performance.now() + PROCESSED_WITHIN_MS;
  const timing = await forEachShown('Waiting for processing', ingestionIds, width, async (id) => {
    const look = () => client.GET('/api/v1/ingest/{ingestionId}', { params: { path: { ingestionId: id } } });
    let answered = await look();
    while (answered.data?.status === 'accepted' && performance.now() < deadline) {
      await sleep(POLL_MS);
      answered = await look();
    }
    tally.count(answered.data?.status === 'completed', () => shown(answered));
  });
  return tally.finding('processed', ingestionIds.length, timing);
};

const lookUp = (client: KycClient, { email, phone_number }: Contact) =>
  client.POST('/api/v1/check-eligibility', { body: { email, phone_number } });

export const lookUpSubjects = async (
  client: KycClient,
  subjects: readonly Subject[],
  width: number,
): Promise<Finding> => {
  const tally = new Tally();
  const timing = await forEachShown('Looking them up', subjects, width, async (subject) => {
    const answered = await lookUp(client, subject);
    tally.count(answered.data?.found === true && answered.data.tier === subject.tier, () => shown(answered));
  });
  return tally.finding('found, each at its tier', subjects.length, timing);
};

export const lookUpStrangers = async (
  client: KycClient,
  strangers: readonly Contact[],
  width: number,
): Promise<Finding> => {
  const tally = new Tally();
  const timing = await forEachShown('Looking others up', strangers, width, async (stranger) => {
    const answered = await lookUp(client, stranger);
    tally.count(answered.data?.found === false && answered.data.tier === undefined, () => shown(answered));
  });
  return tally.finding('others, not found', strangers.length, timing);
};

type AuditPage = components['schemas']['AuditLogAnswer'];
type AuditEntry = AuditPage['logs'][number];

const auditPage = (client: KycClient, limit: number, offset: number): Promise<AuditPage> => {
  const query = { action: ['eligibility_check' as const], limit, offset };
  return answer(client.GET('/api/v1/compliance/audit-log', { params: { query } }));
};

const awaitEntries = async (client: KycClient, count: number): Promise<void> => {
  const deadline = performance.now() + AUDITED_WITHIN_MS;
  while ((await auditPage(client, 1, 0)).pagination.total < count && performance.now() < deadline) await sleep(POLL_MS);
};

const allEntries = async (client: KycClient): Promise<AuditEntry[]> => {
  const entries: AuditEntry[] = [];
  for (let more = true; more;) {
    const page = await auditPage(client, AUDIT_PAGE, entries.length);
    entries.push(...page.logs);
    more = page.pagination.has_more;
    if (more && page.logs.length === 0) throw new Error('The audit log says that more entries follow, and gives none.');
  }
  return entries;
};

/** The audit log as the account reads it: one entry for each look-up, each of another person, with its result. */
export const readAuditLog = async (client: KycClient, found: number, notFound: number): Promise<Finding[]> => {
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

export const readBalance = async (client: KycClient, expected: number): Promise<Finding> => {
  const { credits } = await answer(client.GET('/billing/credits'));
  return { what: 'credits left', expected, counted: credits };
};
