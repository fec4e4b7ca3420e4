/** Every reason for which a decider or a handler refuses a command. One total Record maps it to HTTP statuses. */
export type RejectionCode =
  // credits
  | 'credits_depleted'
  | 'insufficient_credits'
  | 'deduction_id_reused'
  | 'balance_limit_exceeded'
  | 'adjustment_below_zero'
  | 'reference_reused'
  // payments
  | 'subscription_exists'
  | 'payment_not_grantable'
  // accounts and access
  | 'missing_api_key'
  | 'invalid_api_key'
  | 'expired_api_key'
  | 'account_disabled'
  | 'missing_token'
  | 'invalid_token'
  | 'forbidden'
  | 'account_state_conflict'
  // identities
  | 'identity_deleted'
  | 'identity_not_deleted'
  | 'ingestion_not_failed'
  // credentials
  | 'identity_not_eligible'
  | 'credential_revoked'
  | 'attestor_distrusted'
  | 'credential_not_suspended'
  // reports and exports
  | 'export_running'
  // claims
  | 'claim_repeated'
  | 'too_many_claims'
  | 'claim_decided'
  | 'claim_not_approved'
  // audit
  | 'replays_running'
  // webhooks
  | 'webhook_endpoints_used_up'
  | 'webhook_url_registered'
  | 'webhook_endpoint_inactive'
  // screening lists
  | 'list_refused'
  // idempotency
  | 'idempotency_in_progress'
  | 'idempotency_mismatch'
  // everywhere
  | 'invalid_field'
  | 'not_found'
  | 'timeout'
  | 'unavailable';

export interface RejectionDetail {
  /** The caller sees it, so it must hold no personal data. */
  readonly detail?: string;
  /** The invalid field of the request, in the API's spelling. */
  readonly field?: string;
}

/** A refusal that the caller may see. The refused command changed nothing. */
export class Rejection extends Error {
  override readonly name = 'Rejection';

  constructor(
    readonly code: RejectionCode,
    readonly info: RejectionDetail = {},
  ) {
    super(info.detail ?? code);
  }
}

export const refuse = (code: RejectionCode, info: RejectionDetail = {}): Rejection => new Rejection(code, info);

export const isRejection = (error: unknown, code?: RejectionCode): error is Rejection =>
  error instanceof Rejection && (code === undefined || error.code === code);
