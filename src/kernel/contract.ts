import { type ErrorCode } from './error-codes.js';

export interface RejectionText {
  readonly code: ErrorCode;
  /** What the caller reads where the refusal has no detail of its own. */
  readonly detail: string;
}

export interface AnnouncedData {
  readonly summary: string;
  readonly example: Readonly<Record<string, unknown>>;
  /** Members that may be absent. */
  readonly optional?: readonly string[];
  /** Members that may be null. */
  readonly nullable?: readonly string[];
}

/** Ids in paths, by the segment before them. */
export type PathIds = Readonly<Record<string, readonly [example: string, description: string]>>;

/** What a slice adds to the public contract (docs/contract.md). */
export interface SliceContract {
  /** Groups of operations in the documentation: the name of each, and what it is for. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Operations that a tenant pays for: the price, and the action of the entry in the audit log. */
  readonly operations?: Readonly<Record<string, { readonly credits: number; readonly action: string }>>;
  /** Actions of the audit log. The text follows the account's name in a sentence. */
  readonly auditActions?: Readonly<Record<string, string>>;
  readonly auditResults?: readonly string[];
  /** Reasons for which a decider or a handler refuses a command. */
  readonly rejections?: Readonly<Record<string, RejectionText>>;
  /** Event types of webhooks, with their data by an example: documentation and test deliveries show it. */
  readonly announcements?: Readonly<Record<string, AnnouncedData>>;
  readonly pathIds?: PathIds;
}

/** Each slice adds the type of its part under its name, so that the names below are known to the compiler. */
export interface ContractParts {
  readonly [unused: symbol]: never;
}

type Slice = ContractParts[keyof ContractParts & string];
type TableOf<S, Name extends keyof SliceContract> = S extends { readonly [N in Name]: infer Table } ? Table : never;
/** The keys of this table in all slices. */
type KeyOf<Name extends keyof SliceContract> = keyof Intersection<TableOf<Slice, Name>> & string;
type Intersection<Union> = (Union extends unknown ? (member: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

export type AuditAction = KeyOf<'auditActions'>;
export type AuditResult = TableOf<Slice, 'auditResults'>[number];
export type BillableOperation = KeyOf<'operations'>;
export type RejectionCode = KeyOf<'rejections'>;
export type AnnouncementType = KeyOf<'announcements'>;

interface Operation {
  readonly credits: number;
  readonly action: AuditAction;
}

/** In the order in which an integrator meets them: the documentation keeps it. */
export let SLICE_CONTRACTS: readonly SliceContract[];

/** By action of the audit log: what the account did, to follow its name in a sentence. */
export let AUDIT_ACTION_TEXTS: Readonly<Record<AuditAction, string>>;
export let AUDIT_ACTIONS: readonly AuditAction[];
export let AUDIT_RESULTS: readonly AuditResult[];

/** Operations that a tenant pays for. Pricing, checkout and charging all read this one table. */
export let OPERATIONS: Readonly<Record<BillableOperation, Operation>>;
export let BILLABLE_OPERATIONS: readonly BillableOperation[];

export let REJECTIONS: Readonly<Record<RejectionCode, RejectionText>>;
export let REJECTION_CODES: readonly RejectionCode[];

/** What webhooks announce. */
export let ANNOUNCEMENTS: Readonly<Record<AnnouncementType, AnnouncedData>>;
export let ANNOUNCEMENT_TYPES: readonly AnnouncementType[];

export let PATH_IDS: PathIds;
export let TAGS: Readonly<Record<string, string>>;

/** Sets the tables above. `src/boot/contract.ts` does so, before what reads them is loaded. */
export const declareContract = (slices: {
  readonly [Name in keyof ContractParts & string]: ContractParts[Name];
}): void => {
  const parts: readonly SliceContract[] = Object.values<SliceContract>(slices);
  const joined = (name: Exclude<keyof SliceContract, 'auditResults'>): never =>
    Object.fromEntries(parts.flatMap((part) => Object.entries<unknown>(part[name] ?? {}))) as never;
  const keysOf = (table: object): never => Object.keys(table) as never;
  SLICE_CONTRACTS = parts;
  AUDIT_ACTION_TEXTS = joined('auditActions');
  AUDIT_ACTIONS = keysOf(AUDIT_ACTION_TEXTS);
  AUDIT_RESULTS = parts.flatMap(({ auditResults = [] }) => auditResults) as readonly AuditResult[];
  OPERATIONS = joined('operations');
  BILLABLE_OPERATIONS = keysOf(OPERATIONS);
  REJECTIONS = joined('rejections');
  REJECTION_CODES = keysOf(REJECTIONS);
  ANNOUNCEMENTS = joined('announcements');
  ANNOUNCEMENT_TYPES = keysOf(ANNOUNCEMENTS);
  PATH_IDS = joined('pathIds');
  TAGS = joined('tags');
};
