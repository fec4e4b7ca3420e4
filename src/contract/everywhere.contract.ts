import { type SliceContract } from '../kernel/contract.js';

/** What no slice owns. */
export const EVERYWHERE = {
  tags: {
    'Public documents': "The issuer's keys and the status lists of credentials.",
    Operators: 'For those who run the deployment: accounts, held payments, the audit of operators.',
    Management: 'Health and metrics.',
    Development: 'The identity provider of a sandbox on this machine.',
    Events: 'What is sent to webhook endpoints.',
  },
  auditResults: ['found', 'not_found', 'ok', 'refused', 'valid', 'invalid'],
  rejections: {
    forbidden: { code: 'FORBIDDEN', detail: 'The credentials do not allow this operation' },
    idempotency_in_progress: {
      code: 'IDEMPOTENCY_IN_PROGRESS',
      detail: 'The first request with this Idempotency-Key is still running',
    },
    idempotency_mismatch: {
      code: 'IDEMPOTENCY_MISMATCH',
      detail: 'The Idempotency-Key was used with another body',
    },
    invalid_field: { code: 'INVALID_FIELD', detail: 'A field is invalid' },
    not_found: { code: 'NOT_FOUND', detail: 'The resource does not exist' },
    timeout: { code: 'TIMEOUT', detail: 'The operation took too long; nothing was charged' },
    unavailable: { code: 'UNAVAILABLE', detail: 'The service cannot answer at the moment; please retry' },
  },
} as const satisfies SliceContract;

declare module '../kernel/contract.js' {
  interface ContractParts {
    readonly everywhere: typeof EVERYWHERE;
  }
}
