import { type DomainEvent } from '../../kernel/decider.js';

/**
 * An operator's request that was let through, written before it takes effect: nothing an operator does goes unrecorded.
 * Events that the request caused carry the same `$correlationId`; the operator stands in the metadata's actor as a keyed hash.
 */
export type OperatorActed = DomainEvent<
  'OperatorActed.v1',
  {
    /** Method and route template, for example `POST /admin/accounts/{id}/suspend`: never a URL. */
    readonly action: string;
    /** The account that the path names; null where it names none. */
    readonly tenantId: string | null;
    readonly roles: readonly string[];
  }
>;

export const OPERATOR_STREAM = 'audit-operators';
