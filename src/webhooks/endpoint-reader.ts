import { Injectable } from '@nestjs/common';
import { type EndpointRow, WebhookQueries } from '../../projections/webhooks/webhooks.queries.js';
import { isUuid, type TenantId } from '../kernel/ids.js';
import { isRejection, refuse } from '../kernel/rejection.js';
import { EndpointRepository } from './endpoint-repository.js';

/** An endpoint as its tenant sees it. */
export interface OpenedEndpoint {
  readonly row: EndpointRow;
  readonly url: string;
  readonly description: string | null;
}

/** A tenant's own endpoints, opened. */
@Injectable()
export class EndpointReader {
  constructor(
    private readonly index: WebhookQueries,
    private readonly ledger: EndpointRepository,
  ) {}

  /** Throws not_found, also for another tenant's endpoint. */
  async require(tenantId: TenantId, endpointId: string): Promise<EndpointRow> {
    const row = isUuid(endpointId) ? await this.index.endpoint(endpointId) : undefined;
    if (row?.tenantId !== tenantId) throw refuse('not_found');
    return row;
  }

  async open(row: EndpointRow): Promise<OpenedEndpoint> {
    const [url, description] = await Promise.all([this.ledger.urlOf(row), this.ledger.descriptionOf(row)]);
    return { row, url, description };
  }

  /** Oldest first. */
  async list(tenantId: TenantId): Promise<readonly OpenedEndpoint[]> {
    return this.openAll(await this.index.ofTenant(tenantId));
  }

  /** Those that were deleted meanwhile are left out. */
  async openAll(rows: readonly EndpointRow[]): Promise<readonly OpenedEndpoint[]> {
    const opened = await Promise.all(rows.map((row) => this.open(row).catch(undefinedIfDeleted)));
    return opened.filter((endpoint) => endpoint !== undefined);
  }
}

/** It was deleted between the look at its row and the look-up of its key. */
export const undefinedIfDeleted = (error: unknown): undefined => {
  if (!isRejection(error, 'not_found')) throw error;
};
