import { Injectable } from '@nestjs/common';
import { type TenantId } from '../../kernel/ids.js';
import { Database } from '../../platform/postgres/database.js';
import { type ListId, type ScreeningKind } from '../screener.js';

interface NewRun {
  readonly list: ListId;
  readonly kind: ScreeningKind;
  readonly version: string;
  /** The version before; null for the first. */
  readonly previous: string | null;
  /** The event that accepted the version. */
  readonly eventId: string;
  readonly dueAt: Date;
}

/** One screening of all identities against what a version changed. */
export interface ScreeningRun extends Omit<NewRun, 'dueAt'> {
  /** The last identity that was screened; empty before the first. */
  readonly tenantId: TenantId;
  readonly identityId: string;
}

export interface RunProgress extends Pick<ScreeningRun, 'tenantId' | 'identityId'> {
  /** Identities and new matches since the progress before. */
  readonly identities: number;
  readonly matches: number;
}

export interface AcceptedVersion extends Pick<NewRun, 'version' | 'previous'> {
  /** When all identities were screened against it. */
  readonly completedAt: Date | null;
}

/** How far the runs have come, so that a restart goes on where it was. */
@Injectable()
export class ScreeningRuns {
  constructor(private readonly database: Database) {}

  async add({ list, kind, version, previous, eventId, dueAt }: NewRun): Promise<void> {
    await this.database.query(
      `INSERT INTO screening_runs (list, version, previous, event_id, due_at, kind) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (list, version) DO NOTHING`,
      [list, version, previous, eventId, dueAt, kind],
    );
  }

  versionsOf(list: ListId): Promise<readonly AcceptedVersion[]> {
    return this.database.query<AcceptedVersion>(
      'SELECT version, previous, completed_at AS "completedAt" FROM screening_runs WHERE list = $1',
      [list],
    );
  }

  /** The run that is due longest. Undefined if none is. */
  async next(now: Date): Promise<ScreeningRun | undefined> {
    const rows = await this.database.query<ScreeningRun>(
      `SELECT list, kind, version, previous, event_id AS "eventId", coalesce(tenant_id, '') AS "tenantId",
         coalesce(identity_id, '') AS "identityId"
       FROM screening_runs WHERE completed_at IS NULL AND due_at <= $1 ORDER BY due_at, list LIMIT 1`,
      [now],
    );
    return rows[0];
  }

  async postpone({ list, version }: ScreeningRun, dueAt: Date): Promise<void> {
    await this.database.query('UPDATE screening_runs SET due_at = $3 WHERE list = $1 AND version = $2', [
      list,
      version,
      dueAt,
    ]);
  }

  async advance({ list, version }: ScreeningRun, progress: RunProgress): Promise<void> {
    const { tenantId, identityId, identities, matches } = progress;
    await this.database.query(
      `UPDATE screening_runs SET tenant_id = $3, identity_id = $4, identities = identities + $5, matches = matches + $6
       WHERE list = $1 AND version = $2`,
      [list, version, tenantId, identityId, identities, matches],
    );
  }

  async complete({ list, version }: ScreeningRun, now: Date): Promise<void> {
    await this.database.query('UPDATE screening_runs SET completed_at = $3 WHERE list = $1 AND version = $2', [
      list,
      version,
      now,
    ]);
  }
}
