import { type DomainEvent } from '../../kernel/decider.js';

/** The deployment knows of a breach of personal data. The authority must be notified within 72 hours (GDPR, article 33 (1)). */
export type BreachNoted = DomainEvent<
  'BreachNoted.v1',
  {
    readonly breachId: string;
    /** When data was reachable. ISO 8601, UTC, milliseconds. */
    readonly since: string;
    readonly until: string;
    readonly notedAt: string;
    readonly dueAt: string;
    readonly accounts: number;
    readonly persons: number;
  }
>;

/** The authority was notified. */
export type BreachNotified = DomainEvent<
  'BreachNotified.v1',
  { readonly breachId: string; readonly notifiedAt: string }
>;

export type BreachEvent = BreachNoted | BreachNotified;

export const BREACH_STREAM = 'breaches';
