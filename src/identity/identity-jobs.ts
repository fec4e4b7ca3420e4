import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type DueKind, dueIdentities } from '../../projections/retention/retention.queries.js';
import { type Clock } from '../kernel/clock.js';
import { Repeating } from '../kernel/repeating.js';
import { type Config } from '../platform/config/config.js';
import { describeError, LOGGER, type Logger } from '../platform/http/logging.js';
import { ReadModels } from '../platform/projections/projection.js';
import { CLOCK, CONFIG } from '../platform/tokens.js';
import { atOnce } from './at-once.js';
import { AgeIdentity } from './commands.js';

const CHANGES: Readonly<Record<DueKind, AgeIdentity['data']['change']>> = {
  expiry: 'expire',
  purge: 'decide_erasure',
  inactivity: 'decide_erasure',
  erasure: 'erase',
};

const KINDS = Object.keys(CHANGES) as DueKind[];

const MOST_AT_ONCE = 500;
const CONCURRENCY = 8;

/** Carries out what time brings: expiry, the ends of grace period and retention, erasure. */
@Injectable()
export class IdentityJobs implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly rounds: Repeating;

  constructor(
    private readonly readModels: ReadModels,
    private readonly commands: CommandBus,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.rounds = new Repeating(() => this.run(), config.erasure.ageEvery);
  }

  onApplicationBootstrap(): void {
    if (!this.config.roles.has('jobs')) return;
    this.rounds.start((error) =>
      this.logger.warn({ error: describeError(error) }, 'which identities are due is not known'),
    );
  }

  onApplicationShutdown(): Promise<void> {
    return this.rounds.stop();
  }

  /** One round over everything that is due now. */
  async run(): Promise<void> {
    for (const kind of KINDS) {
      const due = await dueIdentities(this.readModels, kind, this.clock.now(), MOST_AT_ONCE);
      await atOnce(due, CONCURRENCY, ({ tenantId, identityId, identityHash }) => {
        const dormant = kind === 'inactivity' ? { dormantHash: identityHash } : {};
        return this.age(new AgeIdentity({ tenantId, identityId, change: CHANGES[kind], ...dormant }));
      });
    }
  }

  /** One that fails stays due and does not hold up the others. */
  private async age(command: AgeIdentity): Promise<void> {
    await this.commands.execute(command).catch((error: unknown) => {
      const { identityId, change } = command.data;
      this.logger.warn({ identityId, change, error: describeError(error) }, 'an identity could not be aged');
    });
  }
}
