import { type TenantId } from './ids.js';

/** Persons who showed a state's identification data to an account. */
export abstract class IdentifiedPersons {
  /**
   * The members of an identity record that the data gives, itself as the evidence document among them. Throws Rejection not_found,
   * and presentation_state_conflict where no wallet showed a good one.
   */
  abstract recordOf(tenantId: TenantId, presentationId: string): Promise<Readonly<Record<string, unknown>>>;

  /** Notes which person it was, so that an erasure finds what was shown. Throws Rejection presentation_state_conflict for a second one. */
  abstract bindPerson(tenantId: TenantId, presentationId: string, identityHash: string): Promise<void>;
}
