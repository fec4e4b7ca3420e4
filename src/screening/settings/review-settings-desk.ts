import { tenantMetadata } from '../../kernel/events.js';
import { Injectable } from '@nestjs/common';
import { datePolicies, SCREENING } from '../../../projections/screening/screening.queries.js';
import { AuditTrail } from '../../kernel/access.js';
import { auditedChange } from '../../kernel/audited-change.js';
import { deriveUuid, newUuid, type TenantId } from '../../kernel/ids.js';
import { AggregateStore } from '../../log/append/aggregate-store.js';
import { type Aggregates } from '../../log/append/aggregates.js';
import { ReadModels } from '../../log/project/projection.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { type ChangeReviewSettings, type ReviewSettings } from '../domain/review-settings.js';
import { reviewSettingsCategory } from '../domain/review-settings.category.js';
import { type ReviewSettingsChanged, reviewStream } from '../domain/review-settings.events.js';
import { type DatePolicy, type ScreeningQuery } from '../domain/screening-list.js';

const AUDIT_ENTRY_NAMESPACE = 'b1c3f6de-3d55-4e0c-9a7f-5a1e8f0f6c42';
/** How long an answer waits for the read model, milliseconds. */
const WAIT_BUDGET_MS = 5_000;

/** How an account wants to be screened for, and to review. */
@Injectable()
export class ReviewSettingsDesk {
  private readonly log: Aggregates<ReviewSettings, ChangeReviewSettings, ReviewSettingsChanged>;

  constructor(
    private readonly audit: AuditTrail,
    private readonly readModels: ReadModels,
    aggregates: AggregateStore,
  ) {
    this.log = aggregates.of(reviewSettingsCategory);
  }

  async of(tenantId: TenantId): Promise<ReviewSettings> {
    return (await this.log.load(reviewStream(tenantId))).state;
  }

  /** Durable, and seen by the next check, when it resolves. */
  async change(change: ChangeReviewSettings, context: RequestContext<TenantPrincipal>): Promise<ReviewSettings> {
    const { tenantId } = context.principal;
    const eventId = context.keyed?.effectId('review settings') ?? newUuid();
    const { position } = await auditedChange(this.audit, (record) =>
      this.log.execute(reviewStream(tenantId), change, {
        firstEventId: eventId,
        metadata: tenantMetadata(context),
        beforehand: async (_, events) => {
          if (events.length === 0) return;
          const entryId = deriveUuid(AUDIT_ENTRY_NAMESPACE, eventId);
          await record({ entryId, tenantId, action: 'review_settings_changed', result: 'ok', access: context });
        },
      }),
    );
    if (position !== undefined) await this.readModels.reach(SCREENING, position, WAIT_BUDGET_MS);
    return this.of(tenantId);
  }

  /** The query as this account wants it to be asked. */
  async asked(tenantId: TenantId, query: ScreeningQuery): Promise<ScreeningQuery> {
    return askedWith(query, (await datePolicies(this.readModels, [tenantId])).get(tenantId));
  }

  /** Of those that are not lenient. */
  datePolicies(tenantIds: readonly TenantId[]): Promise<ReadonlyMap<TenantId, DatePolicy>> {
    return datePolicies(this.readModels, tenantIds);
  }
}

/** Only a query whose birth date is to clear no one says so. */
export const askedWith = (query: ScreeningQuery, datePolicy: DatePolicy | undefined): ScreeningQuery =>
  datePolicy === 'strict' && query.dateOfBirth !== undefined ? { ...query, datePolicy } : query;
