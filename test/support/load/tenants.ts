import { randomUUID } from 'node:crypto';
import { eventually } from '../processes.js';
import { freshAddress, type Http } from './http.js';
import { type Person } from './people.js';

export interface Tenant {
  readonly tenantId: string;
  readonly apiKey: string;
}

interface Wishes {
  readonly credits?: number;
  readonly name?: string;
  /** Requests per minute. The default is more than any test sends. */
  readonly perMinute?: number;
  readonly perSecond?: number;
  /** `usual`: the limits of the account's tier. Otherwise the limits are raised. */
  readonly limits?: 'usual' | 'raised';
}

const PLENTY = 1_000_000_000;

/** A bearer token of the development identity provider. */
export const tokenFor = async (
  http: Http,
  claims: { readonly tenant_id?: string; readonly scope?: string; readonly roles?: readonly string[] },
): Promise<string> => {
  const headers = { 'x-dev-secret': http.devSecret };
  const answer = await http.expect(200, { path: '/dev/token', body: claims, headers });
  return answer.json['access_token'] as string;
};

/** Age in milliseconds at which a token is renewed. A token lasts longer, but many trials take longer than a token lasts. */
const TOKEN_AGE = 20 * 60_000;

/** The actions of operators, on the instance that issued their token. */
export class Operator {
  private constructor(
    private readonly http: Http,
    private current: string,
    private since: number,
  ) {}

  static async admin(http: Http): Promise<Operator> {
    return new Operator(http, await tokenFor(http, { roles: ['admin'] }), performance.now());
  }

  get token(): string {
    return this.current;
  }

  async tenant(wishes: Wishes = {}): Promise<Tenant> {
    await this.renew();
    const created = await this.http.expect(201, {
      path: '/admin/accounts',
      token: this.token,
      body: { name: wishes.name ?? 'A tenant of the tests', contact_email: 'operations@example.org' },
    });
    const { tenant_id: tenantId, api_key: apiKey } = created.json as { tenant_id: string; api_key: string };
    if (wishes.limits !== 'usual') {
      await this.limit(tenantId, wishes.perMinute ?? PLENTY, wishes.perSecond ?? wishes.perMinute ?? PLENTY);
    }
    if (wishes.credits !== undefined && wishes.credits > 0) await this.adjust(tenantId, wishes.credits);
    return { tenantId, apiKey };
  }

  private async renew(): Promise<void> {
    if (performance.now() - this.since < TOKEN_AGE) return;
    const requestedAt = performance.now();
    this.current = await tokenFor(this.http, { roles: ['admin'] });
    this.since = requestedAt;
  }

  async limit(tenantId: string, perMinute: number, perSecond: number): Promise<void> {
    await this.http.expect(200, {
      method: 'PATCH',
      path: `/admin/accounts/${tenantId}`,
      token: this.token,
      body: { rate_limit_per_minute: perMinute, burst_per_second: perSecond },
    });
  }

  async adjust(tenantId: string, amount: number): Promise<void> {
    await this.http.expect(200, {
      path: `/admin/accounts/${tenantId}/credits`,
      token: this.token,
      body: { amount, reason: 'Credits for a test' },
      headers: { 'idempotency-key': randomUUID() },
    });
  }
}

/** Ingests people as APPROVED and waits until each can be found. */
export const ingestAll = async (
  http: Http,
  tenant: Tenant,
  people: readonly Person[],
  tier = 'Tier2',
): Promise<void> => {
  const accepted = await Promise.all(
    people.map((body) =>
      http.expect(202, {
        path: '/api/v1/ingest',
        apiKey: tenant.apiKey,
        body: { ...body, kyc_status: 'APPROVED', tier },
      }),
    ),
  );
  for (const answer of accepted) {
    const id = answer.json['ingestion_id'] as string;
    await eventually(
      `the end of ingestion ${id}`,
      async () => (await statusOf(http, tenant, id)) === 'completed',
      20_000,
    );
  }
};

const statusOf = async (http: Http, tenant: Tenant, id: string): Promise<string> => {
  const answer = await http.expect(200, { path: `/api/v1/ingest/${id}`, apiKey: tenant.apiKey });
  return answer.json['status'] as string;
};

/** The balance that the service reports to the tenant. */
export const balanceOf = async (http: Http, tenant: Tenant): Promise<number> => {
  const answer = await http.expect(200, { path: '/billing/credits', apiKey: tenant.apiKey, from: freshAddress() });
  return answer.json['credits'] as number;
};
