import { Injectable } from '@nestjs/common';
import {
  ELIGIBILITY,
  EligibilityQueries,
  type IngestionRow,
} from '../../projections/eligibility/eligibility.queries.js';
import { type TenantId } from '../kernel/ids.js';
import { ReadModels } from '../log/project/projection.js';
import { IngestionRepository } from './ingestion-repository.js';

/** Returns an ingestion's status, even before the index has read of it. */
@Injectable()
export class IngestionStatuses {
  constructor(
    private readonly index: EligibilityQueries,
    private readonly ledger: IngestionRepository,
    private readonly readModels: ReadModels,
  ) {}

  /** Resolves once the ingestion has ended, and what it brought can be found; after this many seconds at the latest. */
  async untilEnded(tenantId: TenantId, ingestionId: string, seconds: number): Promise<void> {
    const until = performance.now() + seconds * 1_000;
    while (performance.now() < until) {
      const committed = this.readModels.nextCommit(ELIGIBILITY);
      const row = await this.index.status(tenantId, ingestionId);
      if (row !== undefined && row.status !== 'accepted') return;
      await committed;
    }
  }

  async of(tenantId: TenantId, ingestionId: string): Promise<IngestionRow | undefined> {
    const known = await this.index.status(tenantId, ingestionId);
    if (known !== undefined) return known;
    const { state } = await this.ledger.load(tenantId, ingestionId);
    if (state.status === 'none') return undefined;
    // The stream may already be further, but the records are not findable before the index has passed it.
    return {
      status: 'accepted',
      recordsReceived: state.recordsReceived,
      recordsProcessed: 0,
      errors: state.refusals,
      receivedAt: new Date(state.receivedAt),
      endedAt: null,
      identityId: null,
      superseded: false,
    };
  }
}
