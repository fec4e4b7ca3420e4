import { type DomainEvent } from '../../kernel/decider.js';
import { type TenantId } from '../../kernel/ids.js';
import { type DatePolicy } from './screening-list.js';

export const REVIEW_STREAM_PREFIX = 'review-';

/** How an account reviews: `review-<tenant>`. */
export const reviewStream = (tenantId: TenantId): string => `${REVIEW_STREAM_PREFIX}${tenantId}`;

/** All settings as they are from now on. */
export type ReviewSettingsChanged = DomainEvent<
  'ReviewSettingsChanged.v1',
  {
    readonly datePolicy: DatePolicy;
    /** A judgement needs two people. */
    readonly fourEyes: boolean;
    /** So does the erasure of an identity at once. */
    readonly fourEyesErasure: boolean;
    /** Days after which a match that waits is overdue. Null: never. */
    readonly dueDays: number | null;
  }
>;
