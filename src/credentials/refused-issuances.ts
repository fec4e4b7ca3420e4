import { Inject, Injectable } from '@nestjs/common';
import { BatchLoader } from '../kernel/batch-loader.js';
import { type Clock } from '../kernel/clock.js';
import { type TenantId } from '../kernel/ids.js';
import { Periodic } from '../platform/periodic/periodic.js';
import { Database } from '../platform/postgres/database.js';
import { CLOCK } from '../platform/tokens.js';

/** Refusals of one tenant about one person before it has to wait. */
const MAX_REFUSALS = 5;
const WINDOW = 24 * 3_600_000;
const PURGE_INTERVAL_MS = 3_600_000;
/** Spacing of statements, milliseconds. Issuances share a statement, since a statement costs more than its rows. */
const LOOK_UP_SPACING = 4;

/** A person at a tenant. */
export interface RefusedSubject {
  readonly tenantId: TenantId;
  readonly identityHash: string;
}

/** The refusal that the tenant's wait counts from. Null while it need not wait. */
interface Limit {
  readonly refusedAt: Date | null;
}

const idOf = ({ tenantId, identityHash }: RefusedSubject): string => `${tenantId} ${identityHash}`;

/** Remembers for a day the people for which a tenant was refused a credential, so that refusals cannot be used to guess names. */
@Injectable()
export class RefusedIssuances {
  private readonly limits = new BatchLoader<RefusedSubject, Limit>((subjects) => this.findLimits(subjects), {
    spacingMs: LOOK_UP_SPACING,
  });

  private notedHere = 0;

  constructor(
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Grows with each refusal of this instance once `waitUntil` can find it, or its insert failed. */
  get noted(): number {
    return this.notedHere;
  }

  /** `attemptId` is chosen by the service: a caller that repeats its own id would count once. */
  async add({ tenantId, identityHash }: RefusedSubject, attemptId: string, now: Date): Promise<void> {
    try {
      await this.database.query(
        `INSERT INTO refused_issuances (tenant_id, identity_hash, request_id, refused_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT DO NOTHING`,
        [tenantId, identityHash, attemptId, now],
        'add-refused-issuance',
      );
    } finally {
      // Not before: whoever reads the number during the insert does not find the row, and has to look again.
      this.notedHere += 1;
    }
  }

  /** The time from which the tenant may ask about this person again. Undefined: now. */
  async waitUntil(subject: RefusedSubject): Promise<Date | undefined> {
    const { refusedAt } = await this.limits.get(idOf(subject), subject);
    return refusedAt === null ? undefined : new Date(refusedAt.getTime() + WINDOW);
  }

  private async findLimits(subjects: ReadonlyMap<string, RefusedSubject>): Promise<ReadonlyMap<string, Limit>> {
    const batch = [...subjects.values()];
    const rows = await this.database.query<RefusedSubject & Limit>(
      `SELECT tenant_id AS "tenantId", identity_hash AS "identityHash", limiting.refused_at AS "refusedAt"
       FROM unnest($1::text[], $2::text[]) AS asked (tenant_id, identity_hash) CROSS JOIN LATERAL (
         SELECT refused_at FROM refused_issuances r
         WHERE r.tenant_id = asked.tenant_id AND r.identity_hash = asked.identity_hash AND refused_at > $3
         ORDER BY refused_at DESC OFFSET $4 LIMIT 1
       ) limiting`,
      [
        batch.map(({ tenantId }) => tenantId),
        batch.map(({ identityHash }) => identityHash),
        new Date(this.clock.now().getTime() - WINDOW),
        MAX_REFUSALS - 1,
      ],
      'refused-issuances',
    );
    const limits = new Map<string, Limit>([...subjects.keys()].map((id) => [id, { refusedAt: null }]));
    for (const { refusedAt, ...subject } of rows) limits.set(idOf(subject), { refusedAt });
    return limits;
  }

  @Periodic({ every: PURGE_INTERVAL_MS, role: 'jobs', alone: true })
  async purge(): Promise<void> {
    await this.database.query(`DELETE FROM refused_issuances WHERE refused_at < now() - interval '2 days'`);
  }
}
