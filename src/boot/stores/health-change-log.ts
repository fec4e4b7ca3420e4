import { Inject, Injectable } from '@nestjs/common';
import { HealthChecks, type PartState } from '../../observability/health.js';
import { LOGGER, type Logger } from '../../observability/logging.js';
import { Periodic } from '../../platform/periodic/periodic.js';

const POLL_INTERVAL_MS = 5_000;

/** Logs which parts of the service went away or are there again, for example Redis: a line each for all of a look. */
@Injectable()
export class HealthChangeLog {
  private known: Readonly<Record<string, PartState>> = {};

  constructor(
    private readonly health: HealthChecks,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Periodic({ every: POLL_INTERVAL_MS })
  async check(): Promise<void> {
    const { parts, notes = {} } = await this.health.ready();
    const changed = Object.entries(parts).filter(([part, state]) => state !== (this.known[part] ?? 'up'));
    this.known = parts;
    const back = changed.filter(([, state]) => state === 'up').map(([part]) => part);
    const gone = changed.filter(([, state]) => state !== 'up').map(([part]) => part);
    if (back.length > 0) this.logger.info({ parts: back }, 'parts of the service are back');
    if (gone.length === 0) return;
    const of = <Value>(all: Readonly<Record<string, Value>>): Record<string, Value> =>
      Object.fromEntries(Object.entries(all).filter(([part]) => gone.includes(part)));
    this.logger.warn({ parts: of(parts), notes: of(notes) }, 'parts of the service do not stand as they should');
  }
}
