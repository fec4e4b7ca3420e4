import { type AnnouncedData, type PathIds, type RejectionText } from '../kernel/contract.js';

/** A group of operations in the documentation: its name and what it is for. */
export type Tags = Readonly<Record<string, string>>;

/** Operations that a tenant pays for: the price, and the action of the entry in the audit log. */
export type Operations = Readonly<Record<string, { readonly credits: number; readonly action: string }>>;

/** Actions of the audit log. The text follows the account's name in a sentence. */
export type AuditActions = Readonly<Record<string, string>>;

/** Reasons for which a decider or a handler refuses a command. */
export type Rejections = Readonly<Record<string, RejectionText>>;

/** Event types of webhooks, with their data by an example: documentation and test deliveries show it. */
export type Announcements = Readonly<Record<string, AnnouncedData>>;

/** What a slice adds to the public contract (docs/contract.md). `src/boot/contract.ts` joins them. */
export interface SliceContract {
  readonly tags?: Tags;
  readonly operations?: Operations;
  readonly auditActions?: AuditActions;
  readonly auditResults?: readonly string[];
  readonly rejections?: Rejections;
  readonly announcements?: Announcements;
  readonly pathIds?: PathIds;
}
