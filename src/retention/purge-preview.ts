import { Inject, Injectable } from '@nestjs/common';
import {
  type DueRecords,
  purgePreview,
  type PurgeLimits,
  type RecordKind,
} from '../../projections/retention/purge-preview.queries.js';
import { lastPurge } from '../../projections/retention/retention.queries.js';
import { type Clock } from '../kernel/clock.js';
import { type TenantId } from '../kernel/ids.js';
import { carriedSince, YEARS_KEPT } from '../kernel/retention.js';
import { AggregateStore } from '../log/append/aggregate-store.js';
import { ReadModels } from '../log/project/projection.js';
import { CLOCK } from '../platform/tokens.js';
import {
  AUDIT_STREAM_PREFIX,
  CREDENTIAL_STREAM_PREFIX,
  CREDITS_STREAM_PREFIX,
  INGESTION_STREAM_PREFIX,
} from './retention.process.js';

export interface Preview {
  /** The purge that is previewed: the beginning of the next UTC day. */
  readonly runAt: Date;
  readonly records: ReadonlyMap<RecordKind, DueRecords>;
}

export interface PurgeTimes {
  /** Null before the first purge. */
  readonly lastPurge: Date | null;
  /** Null if nothing will be purged. */
  readonly nextPurge: Date | null;
}

/** What the next purge takes of an account, by the limits that the purge itself keeps. */
@Injectable()
export class PurgePreview {
  constructor(
    private readonly readModels: ReadModels,
    private readonly aggregates: AggregateStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Throws Unavailable. */
  async of(tenantId: TenantId): Promise<Preview> {
    const runAt = new Date(this.clock.now());
    runAt.setUTCHours(24, 0, 0, 0);
    return { runAt, records: await purgePreview(this.readModels, tenantId, this.limitsAt(runAt)) };
  }

  /** When data of the account was purged last, and when the oldest record of any kind is due. Throws Unavailable. */
  async times(tenantId: TenantId): Promise<PurgeTimes> {
    const { records } = await this.of(tenantId);
    const due = [...records.values()].flatMap(({ nextDue }) => (nextDue === null ? [] : [nextDue.getTime()]));
    const nextPurge = due.length === 0 ? null : new Date(Math.min(...due));
    return { lastPurge: await lastPurge(this.readModels, tenantId), nextPurge };
  }

  private limitsAt(at: Date): PurgeLimits {
    const keptSince = (stream: string): Date => this.aggregates.categories.keptSince(stream, at);
    return {
      at,
      records: keptSince(AUDIT_STREAM_PREFIX),
      years: YEARS_KEPT.records,
      carried: carriedSince(keptSince(CREDITS_STREAM_PREFIX)),
      ingestions: keptSince(INGESTION_STREAM_PREFIX),
      ingestionYears: YEARS_KEPT.identityData,
      endedCredentials: keptSince(CREDENTIAL_STREAM_PREFIX),
      credentialYears: YEARS_KEPT.endedCredentials,
    };
  }
}
