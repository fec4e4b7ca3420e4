import { Injectable } from '@nestjs/common';
import { Unavailable } from '../../kernel/unavailable.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { type AfterReview, MatchReviews } from './match-reviews.js';

export const BULK_DECISIONS = ['confirm', 'dismiss'] as const;
export type BulkDecision = (typeof BULK_DECISIONS)[number];

/** Matches of one call. */
export const MAX_AT_ONCE = 100;

export type BulkOutcome = { readonly id: string } & ({ readonly after: AfterReview } | { readonly error: unknown });

type Caller = RequestContext<TenantPrincipal>;

/** Decides many matches with one reason. One that is refused is refused alone. */
@Injectable()
export class BulkReviews {
  constructor(private readonly reviews: MatchReviews) {}

  /** In the order asked. Throws Unavailable: a repeat with the same Idempotency-Key goes on where it ended. */
  async review(
    ids: readonly string[],
    decision: BulkDecision,
    text: string,
    context: Caller,
  ): Promise<readonly BulkOutcome[]> {
    const outcomes: BulkOutcome[] = [];
    for (const id of ids) {
      try {
        outcomes.push({ id, after: await this.reviews.review(id, decision, { text, version: undefined }, context) });
      } catch (error) {
        if (error instanceof Unavailable) throw error;
        outcomes.push({ id, error });
      }
    }
    return outcomes;
  }
}
