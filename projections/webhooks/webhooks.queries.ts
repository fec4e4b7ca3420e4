import { type Envelope } from '../../src/kernel/envelope.js';
import { BatchLoader } from '../../src/kernel/batch-loader.js';
import { type TenantId } from '../../src/kernel/ids.js';
import { type ReadModels } from '../../src/log/project/projection.js';

export const WEBHOOKS = 'webhooks';

/** An endpoint with its texts still sealed, each for the event named beside it. */
export interface EndpointRow {
  readonly tenantId: TenantId;
  readonly endpointId: string;
  readonly active: boolean;
  readonly activeSince: Date;
  readonly disabledReason: 'gone' | 'failing' | null;
  readonly events: readonly string[];
  readonly registeredAt: Date;
  readonly url: Envelope;
  readonly urlEvent: string;
  readonly description: Envelope | null;
  readonly descriptionEvent: string | null;
  readonly secret: Envelope;
  readonly secretEvent: string;
  readonly formerSecret: Envelope | null;
  readonly formerSecretEvent: string | null;
  readonly formerUntil: Date | null;
}

export interface Subscriber {
  readonly tenantId: TenantId;
  readonly endpointId: string;
  readonly events: readonly string[];
  /** Commit position of the registration. */
  readonly position: bigint;
}

const ROW = `tenant_id AS "tenantId", endpoint_id AS "endpointId", active, active_since AS "activeSince",
  disabled_reason AS "disabledReason", events, registered_at AS "registeredAt", url, url_event AS "urlEvent",
  description, description_event AS "descriptionEvent", secret, secret_event AS "secretEvent",
  former_secret AS "formerSecret", former_secret_event AS "formerSecretEvent", former_until AS "formerUntil"`;

/** Oldest first. */
export const endpointsOf = (
  readModels: Pick<ReadModels, 'query'>,
  tenantId: TenantId,
): Promise<readonly EndpointRow[]> =>
  readModels.query<EndpointRow>({
    name: 'webhook-endpoints',
    text: `SELECT ${ROW} FROM webhook_endpoints WHERE tenant_id = $1 ORDER BY position`,
    values: [tenantId],
  });

const ABSENT = Symbol('absent');

/** Everything throws Unavailable if Postgres does not respond. */
export class WebhookQueries {
  private readonly together = new BatchLoader<string, EndpointRow | typeof ABSENT>((ids) => this.load(ids));

  constructor(private readonly readModels: ReadModels) {}

  /** Oldest first. */
  ofTenant(tenantId: TenantId): Promise<readonly EndpointRow[]> {
    return endpointsOf(this.readModels, tenantId);
  }

  async endpoint(endpointId: string): Promise<EndpointRow | undefined> {
    const row = await this.together.get(endpointId, endpointId);
    return row === ABSENT ? undefined : row;
  }

  /** The active endpoints of these tenants. */
  async subscribers(tenantIds: readonly string[]): Promise<readonly Subscriber[]> {
    const rows = await this.readModels.query<Omit<Subscriber, 'position'> & { readonly position: string }>({
      name: 'webhook-subscribers',
      text: `SELECT tenant_id AS "tenantId", endpoint_id AS "endpointId", events, position FROM webhook_endpoints
             WHERE tenant_id = ANY($1::text[]) AND active`,
      values: [tenantIds],
    });
    return rows.map((row) => ({ ...row, position: BigInt(row.position) }));
  }

  /** The accounts with an active endpoint for this event type. */
  async tenantsSubscribedTo(type: string): Promise<readonly string[]> {
    const rows = await this.readModels.query<{ readonly tenantId: string }>({
      name: 'webhook-tenants-of-type',
      text: `SELECT DISTINCT tenant_id AS "tenantId" FROM webhook_endpoints WHERE $1 = ANY(events) AND active`,
      values: [type],
    });
    return rows.map(({ tenantId }) => tenantId);
  }

  /** Throws Unavailable if the rows are too far behind, as an endpoint may then be missing. */
  assertCurrent(): Promise<void> {
    return this.readModels.assertCurrent(WEBHOOKS);
  }

  /** Waits until the rows include everything up to this position. Returns whether they do. */
  reaches(position: bigint, budgetMs: number): Promise<boolean> {
    return this.readModels.waitFor(WEBHOOKS, position, budgetMs);
  }

  private async load(ids: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, EndpointRow | typeof ABSENT>> {
    const found = new Map<string, EndpointRow | typeof ABSENT>([...ids.keys()].map((id) => [id, ABSENT]));
    const rows = await this.readModels.query<EndpointRow>({
      name: 'webhook-endpoint',
      text: `SELECT ${ROW} FROM webhook_endpoints WHERE endpoint_id = ANY($1::uuid[])`,
      values: [[...ids.keys()]],
    });
    for (const row of rows) found.set(row.endpointId, row);
    return found;
  }
}
