import { ACCOUNTS_CONTRACT } from '../accounts/accounts.contract.js';
import { AUDIT_CONTRACT } from '../audit/audit.contract.js';
import { BILLING_CONTRACT } from '../billing/billing.contract.js';
import { CLAIMS_CONTRACT } from '../claims/claims.contract.js';
import { CREDENTIALS_CONTRACT } from '../credentials/credentials.contract.js';
import { CREDITS_CONTRACT } from '../credits/credits.contract.js';
import { IDENTITY_CONTRACT } from '../identity/identity.contract.js';
import { OPERATIONS_CONTRACT } from '../operations/operations.contract.js';
import { PROOFS_CONTRACT } from '../proofs/proofs.contract.js';
import { REPORTS_CONTRACT } from '../reports/reports.contract.js';
import { RISK_CONTRACT } from '../risk/risk.contract.js';
import { SCREENING_CONTRACT } from '../screening/screening.contract.js';
import { WEBHOOKS_CONTRACT } from '../webhooks/webhooks.contract.js';
import { EVERYWHERE } from './everywhere.contract.js';
import { type AnnouncedData, type PathIds, type RejectionText, type SliceContract } from './slice-contract.js';

/** In the order in which an integrator meets them: the documentation keeps it. */
export const SLICE_CONTRACTS = [
  IDENTITY_CONTRACT,
  CREDENTIALS_CONTRACT,
  SCREENING_CONTRACT,
  RISK_CONTRACT,
  CLAIMS_CONTRACT,
  AUDIT_CONTRACT,
  REPORTS_CONTRACT,
  CREDITS_CONTRACT,
  BILLING_CONTRACT,
  ACCOUNTS_CONTRACT,
  WEBHOOKS_CONTRACT,
  PROOFS_CONTRACT,
  OPERATIONS_CONTRACT,
  EVERYWHERE,
] as const;

type Slice = (typeof SLICE_CONTRACTS)[number];
type TableOf<S, Name extends keyof SliceContract> = S extends { readonly [N in Name]: infer Table } ? Table : never;
/** The keys of this table in all slices. */
type KeyOf<Name extends keyof SliceContract> = keyof Intersection<TableOf<Slice, Name>> & string;
type Intersection<Union> = (Union extends unknown ? (member: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** The tables of this name of all slices, as one. */
const joined = <Name extends keyof SliceContract>(name: Name): Intersection<TableOf<Slice, Name>> =>
  Object.fromEntries(
    SLICE_CONTRACTS.flatMap((slice: SliceContract) => Object.entries(slice[name] ?? {})),
  ) as Intersection<TableOf<Slice, Name>>;

const keysOf = <Key extends string>(table: Readonly<Record<Key, unknown>>): readonly Key[] =>
  Object.keys(table) as Key[];

/** By action of the audit log: what the account did, to follow its name in a sentence. */
export const AUDIT_ACTION_TEXTS = joined('auditActions');
export type AuditAction = KeyOf<'auditActions'>;
export const AUDIT_ACTIONS = keysOf(AUDIT_ACTION_TEXTS);

export type AuditResult = TableOf<Slice, 'auditResults'>[number];
export const AUDIT_RESULTS: readonly AuditResult[] = SLICE_CONTRACTS.flatMap((slice) =>
  'auditResults' in slice ? slice.auditResults : [],
);

interface Operation {
  readonly credits: number;
  readonly action: AuditAction;
}

export type BillableOperation = KeyOf<'operations'>;
/** Operations that a tenant pays for. Pricing, checkout and charging all read this one table. */
export const OPERATIONS: Readonly<Record<BillableOperation, Operation>> = joined('operations');
export const BILLABLE_OPERATIONS = keysOf(OPERATIONS);

export type RejectionCode = KeyOf<'rejections'>;
export const REJECTIONS: Readonly<Record<RejectionCode, RejectionText>> = joined('rejections');
export const REJECTION_CODES = keysOf(REJECTIONS);

export type AnnouncementType = KeyOf<'announcements'>;
/** What webhooks announce. */
export const ANNOUNCEMENTS: Readonly<Record<AnnouncementType, AnnouncedData>> = joined('announcements');
export const ANNOUNCEMENT_TYPES = keysOf(ANNOUNCEMENTS);

export const PATH_IDS: PathIds = joined('pathIds');

export const TAGS = joined('tags');
