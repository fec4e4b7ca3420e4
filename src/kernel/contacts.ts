import { type TenantId } from './ids.js';

export interface Recipient {
  /** In plain text, for the moment of sending. */
  readonly address: string;
  /** Of a member's invitation, which no store holds. Empty: there is none. */
  readonly link: string;
}

/** The interface through which mail finds its recipients. */
export abstract class Contacts {
  /** The account's contact, or one of its members. Null if the address was erased. Throws Unavailable. */
  abstract recipientOf(tenantId: TenantId, memberId: string | undefined): Promise<Recipient | null>;
}
