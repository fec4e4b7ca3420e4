import { Inject, Injectable } from '@nestjs/common';
import {
  credentialsExpiring,
  type ExpiringCredential,
} from '../../projections/credentials/expiring-credentials.queries.js';
import { type Clock } from '../kernel/clock.js';
import { newUuid } from '../kernel/ids.js';
import { daysBefore, type ExpiryNotice, noticedUntil } from '../kernel/expiry-notices.js';
import { ReadModels } from '../log/project/projection.js';
import { type Config } from '../platform/config/config.js';
import { forEachDue } from '../platform/periodic/for-each-due.js';
import { Periodic } from '../platform/periodic/periodic.js';
import { CLOCK, CONFIG } from '../platform/tokens.js';
import { CredentialRepository } from './credential-repository.js';

const CONCURRENCY = 8;

/** Notifies issuers before their credentials expire, twice each. */
@Injectable()
export class CredentialNotices {
  constructor(
    private readonly readModels: ReadModels,
    private readonly credentials: CredentialRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'noticeDays'>,
  ) {}

  @Periodic({ every: ({ erasure }) => erasure.ageEvery, role: 'jobs', alone: true })
  async run(stopping?: AbortSignal): Promise<void> {
    // What is in the time of the last notice gets that one alone.
    for (const notice of ['last', 'first'] as const) await this.give(notice, stopping);
  }

  private async give(notice: ExpiryNotice, signal: AbortSignal | undefined): Promise<void> {
    const days = daysBefore(notice, this.config.noticeDays);
    const now = this.clock.now();
    const find = (last: ExpiringCredential | undefined, limit: number) =>
      credentialsExpiring(this.readModels, { notice, now, until: noticedUntil(now, days) }, last, limit);
    const metadata = () => ({ requestId: newUuid(), actor: { type: 'system', id: 'notices' } as const });
    const notify = (target: ExpiringCredential) =>
      this.credentials.notify(target, { kind: 'notify', notice, days, now: this.clock.now() }, metadata());
    await forEachDue(find, notify, { concurrency: CONCURRENCY, signal });
  }
}
