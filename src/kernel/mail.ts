import { type TenantId } from './ids.js';

/** A notice to an account's contact address, or to a member. It holds no personal data beyond the address that the mailer looks up. */
export interface Notice {
  /** Deterministic: a notice is sent once for its id, as far as the mail server's answers show. */
  readonly id: string;
  readonly tenantId: TenantId;
  /** Its recipient; absent: the account's contact. `{link}` in the text becomes the member's invitation. */
  readonly memberId?: string | undefined;
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
}

export abstract class Mailer {
  /** Accepts the notice durably; a job sends it and retries. Throws Unavailable. */
  abstract notify(notice: Notice): Promise<void>;
}
