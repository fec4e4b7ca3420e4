import { type TenantId } from './ids.js';

/** The interface through which mail finds an account's contact address. */
export abstract class Contacts {
  /** The address in plain text, for the moment of sending. Null if it was erased. Throws Unavailable. */
  abstract addressOf(tenantId: TenantId): Promise<string | null>;
}
