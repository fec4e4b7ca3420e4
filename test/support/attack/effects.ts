import { type LogReader } from '../checks/log-reader.js';
import { stated } from '../checks/statement.js';
import { applicationOf, issuerTokenFor } from '../credentials.js';
import { type Deployment } from '../load/deployment.js';
import { type Answer, type Call, freshAddress, type Http } from '../load/http.js';
import { enquiry, type Person } from '../load/people.js';
import { balanceOf, type Tenant } from '../load/tenants.js';
import { eventually } from '../stack.js';

export interface Customer extends Tenant {
  readonly bearer: string;
}

export const CREDITS = 1_000;

export const customerOf = async ({ operator, http }: Deployment): Promise<Customer> => {
  const tenant = await operator.tenant({ credits: CREDITS });
  return { ...tenant, bearer: await issuerTokenFor(http, tenant) };
};

/** A charged operation that appends something, and how a caller sees what became of it. */
export interface Effect {
  readonly name: string;
  readonly cost: number;
  /** The event that is the effect. */
  readonly event: string;
  /** Its action in the audit log. */
  readonly action: string;
  readonly request: (customer: Customer, person: Person) => Call;
  /** Whether anybody can still use the effect with this id. */
  readonly isAlive: (http: Http, customer: Customer, id: string) => Promise<boolean>;
}

const PERIOD = { start_date: '2025-01-01', end_date: '2025-02-01' };

/** A service whose store was silent a moment ago may still say so. */
const read = (http: Http, { apiKey }: Tenant, path: string): Promise<Answer> =>
  eventually(`an answer of ${path}`, async () => {
    const answer = await http.send({ path, apiKey, from: freshAddress() });
    return answer.status !== 503 && answer;
  });

/** A credential lives while its token can be had, or stands as issued. */
const isCredentialAlive: Effect['isAlive'] = async (http, customer, id) => {
  const { status, json } = await read(http, customer, `/api/v1/credentials/${id}`);
  if (status === 404) return false;
  if (status !== 200) throw new Error(`a credential was answered ${status}`);
  return json['status'] === 'issued' || json['token'] !== null;
};

const isReportAlive: Effect['isAlive'] = async (http, customer, id) => {
  const { status, json } = await read(http, customer, `/api/v1/compliance/report/${id}`);
  if (status === 404) return false;
  if (status !== 200) throw new Error(`a report was answered ${status}`);
  return json['status'] === 'generating' || json['status'] === 'completed';
};

const isExportAlive: Effect['isAlive'] = async (http, customer, id) => {
  const { status, json } = await read(http, customer, `/api/v1/data-export/${id}`);
  if (status === 404) return false;
  if (status !== 200) throw new Error(`an export was answered ${status}`);
  return json['status'] === 'generating' || json['status'] === 'completed';
};

const isClaimAlive: Effect['isAlive'] = async (http, customer, id) => {
  const { status, json } = await read(http, customer, `/api/v1/claims/${id}`);
  if (status === 404) return false;
  if (status !== 200) throw new Error(`a claim was answered ${status}`);
  return json['status'] === 'requested' || json['status'] === 'approved';
};

export const ISSUE: Effect = {
  name: 'a credential',
  cost: 10,
  event: 'CredentialIssued.v1',
  action: 'credential_issued',
  request: ({ bearer }, person) => ({ path: '/api/v1/issue', token: bearer, body: applicationOf(person) }),
  isAlive: isCredentialAlive,
};

export const REPORT: Effect = {
  name: 'a report',
  cost: 5,
  event: 'DocumentRequested.v1',
  action: 'report_created',
  request: ({ apiKey }) => ({ path: '/api/v1/compliance/report', apiKey, body: PERIOD }),
  isAlive: isReportAlive,
};

export const CLAIM: Effect = {
  name: 'a claim',
  cost: 1,
  event: 'ClaimRequested.v1',
  action: 'claim_requested',
  request: ({ apiKey }, person) => ({
    path: '/api/v1/claims',
    apiKey,
    body: { ...enquiry(person), purpose: 'onboarding' },
  }),
  isAlive: isClaimAlive,
};

/** Free of charge. */
export const EXPORT: Effect = {
  name: 'an export',
  cost: 0,
  event: 'DocumentRequested.v1',
  action: 'data_exported',
  request: ({ apiKey }) => ({ path: '/api/v1/data-export', apiKey, body: {} }),
  isAlive: isExportAlive,
};

export const EFFECTS = [ISSUE, REPORT, CLAIM] as const;

export const effectNamed = (effects: readonly Effect[]) => effects.map((effect) => [effect.name, effect] as const);

const idIn = (data: object): string =>
  Object.entries(data).find(([name]) => ['credentialId', 'documentId', 'claimId'].includes(name))?.[1] as string;

/** The ids of the customer's effects in the log. */
export const effectsInLog = async (log: LogReader, { tenantId }: Tenant, { event }: Effect): Promise<string[]> => {
  const ids: string[] = [];
  for await (const { stream, type, text } of log.everything()) {
    if (type !== event || !stream.includes(`-${tenantId}`)) continue;
    const [data = '{}'] = text.split('\n');
    ids.push(idIn(JSON.parse(data) as object));
  }
  return ids;
};

/** How many entries the audit log shows of effects that came about. */
const entriesOf = async (http: Http, customer: Tenant, { action }: Effect): Promise<number> => {
  const path = `/api/v1/compliance/audit-log?action=${action}&limit=1000`;
  const answer = await read(http, customer, path);
  if (answer.status !== 200) throw new Error(`the audit log was answered ${answer.status}`);
  return (answer.json['logs'] as { result: string }[]).filter(({ result }) => result === 'ok').length;
};

/**
 * Where charge, audit entry and effect have parted, in words. Empty where every living effect has one charge and one audit
 * entry, no other has either, and no deduction is open.
 */
export const partings = async (
  log: LogReader,
  http: Http,
  customer: Customer,
  effect: Effect,
): Promise<readonly string[]> => {
  const { deductions, balance } = stated(await log.credits(customer.tenantId));
  const all = [...deductions.values()].filter(({ amount }) => amount === effect.cost);
  const charges = all.filter(({ ends }) => ends.join() === 'settled').length;
  const open = all.filter(({ ends }) => ends.length !== 1).length;
  const ids = await effectsInLog(log, customer, effect);
  const living = await Promise.all(ids.map((id) => effect.isAlive(http, customer, id)));
  const alive = living.filter((lives) => lives).length;
  const entries = await entriesOf(http, customer, effect);
  const reportedBalance = await balanceOf(http, customer);
  return [
    ...(open === 0 ? [] : [`${open} deductions have not one end`]),
    ...(effect.cost === 0 || alive === charges
      ? []
      : [`${alive} of ${ids.length} effects are alive, and ${charges} are paid for`]),
    ...(alive === entries ? [] : [`${alive} effects are alive, and ${entries} are in the audit log`]),
    ...(balance === reportedBalance ? [] : [`the service says ${reportedBalance}, its log ${balance}`]),
  ];
};
