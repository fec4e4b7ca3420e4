import { type AuditEntry } from '../../kernel/access.js';
import { type CommandMetadata } from '../../kernel/events.js';

export interface AccountMetadata extends CommandMetadata {
  /** A UUID, the same for every attempt at one request. The ids of the command's events are derived from it. */
  readonly commandId: string;
  /** Time of the command: ISO 8601, UTC, milliseconds. */
  readonly at: string;
  /** Of an act that the account's own people do. It is recorded before the act. */
  readonly entry?: AuditEntry;
}
