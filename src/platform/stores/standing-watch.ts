import { Inject, Injectable } from '@nestjs/common';
import { HealthChecks, type PartState } from '../http/health.js';
import { LOGGER, type Logger } from '../http/logging.js';
import { Periodic } from '../periodic/periodic.js';

const LOOK_EVERY = 5_000;

/** Tells the log when a part of the service goes away or comes back, for example Redis. */
@Injectable()
export class StandingWatch {
  private known: Readonly<Record<string, PartState>> = {};

  constructor(
    private readonly health: HealthChecks,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Periodic({ every: LOOK_EVERY })
  async look(): Promise<void> {
    const { parts, notes = {} } = await this.health.ready();
    for (const [part, state] of Object.entries(parts)) {
      const before = this.known[part] ?? 'up';
      if (state === before) continue;
      const note = notes[part];
      const line = { part, state, ...(note === undefined ? {} : { note }) };
      if (state === 'up') this.logger.info(line, 'a part of the service is back');
      else this.logger.warn(line, 'a part of the service does not stand as it should');
    }
    this.known = parts;
  }
}
