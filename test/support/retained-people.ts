import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CommandBus } from '@nestjs/cqrs';
import { pino } from 'pino';
import { categories } from '../../src/categories.js';
import { type ApplyRetention } from '../../src/identity/commands.js';
import { IdentityJobs } from '../../src/identity/identity-jobs.js';
import { Metrics } from '../../src/observability/metrics.js';
import { LostKeys } from '../../src/platform/crypto/lost-keys.js';
import { openVault, type OpenVault } from '../../src/platform/crypto/open-vault.js';
import { type PostgresVault } from '../../src/platform/crypto/postgres-vault.js';
import { IdentityWorld, NOTICES } from './identity-world.js';
import { retentionHandlerOf } from './retention-handler.js';
import { inYears, RetentionWorld } from './retention-world.js';

/** Persons who grow old over a real node, a real Postgres and real keys. */
export class RetainedPeople {
  /** Makes events; they count once they are in the real log. */
  people!: IdentityWorld<PostgresVault>;

  private constructor(
    readonly world: RetentionWorld,
    readonly opened: OpenVault,
    private readonly folder: string,
  ) {}

  static async open(): Promise<RetainedPeople> {
    const world = await RetentionWorld.open();
    const folder = await mkdtemp(join(tmpdir(), 'retention-'));
    return new RetainedPeople(world, await openWith(world, folder), folder);
  }

  /** Begins with a tenant of its own. */
  restart(): void {
    this.world.restart();
    this.people = this.instance(this.opened, inYears(0));
  }

  async close(): Promise<void> {
    this.opened.close();
    await this.world.close();
    await rm(this.folder, { recursive: true });
  }

  /** Opens the same keys once more, as another process does. */
  openAgain(): Promise<OpenVault> {
    return openWith(this.world, this.folder);
  }

  instance({ vault, hashes }: OpenVault, at: Date, options: { tenantId?: IdentityWorld['tenantId'] } = {}) {
    const people = new IdentityWorld({}, { ...options, vault, hashes });
    people.clock.advance(at.getTime() - people.clock.now().getTime());
    return people;
  }

  jobsWith(execute: (command: ApplyRetention) => Promise<void>): IdentityJobs {
    const { readModels, database, store, clock } = this.world;
    return new IdentityJobs(
      readModels,
      { execute } as unknown as CommandBus,
      new LostKeys(database, store, categories, this.opened.vault),
      clock,
      pino({ enabled: false }),
      NOTICES,
      new Metrics(),
    );
  }

  /** What the tenant's streams hold so far goes into the real log, but what a crash keeps from it. */
  async record(from = this.people, lost?: string): Promise<void> {
    for (const [stream, events] of from.store.streams) {
      const kept = events.filter(({ type }) => type !== lost);
      const { length } = await this.world.store.read(stream);
      for (const event of kept.slice(length)) await this.world.store.append(stream, [event], 'any');
    }
    await this.world.caughtUp();
  }

  async ageAt(time: Date): Promise<void> {
    await this.world.caughtUp();
    this.world.clock.set(time);
    const handler = retentionHandlerOf(this.world, this.opened);
    await this.jobsWith((command) => handler.execute(command)).run();
    await this.world.caughtUp();
  }

  async keysOf(subject = this.people.identityId()): Promise<number> {
    const rows = await this.world.database.query('SELECT 1 FROM data_keys WHERE tenant_id = $1 AND subject = $2', [
      this.people.tenantId,
      subject,
    ]);
    return rows.length;
  }

  async streamTypes(stream: string): Promise<string[]> {
    return (await this.world.store.read(stream)).map(({ type }) => type);
  }
}

const openWith = (world: RetentionWorld, dataDir: string): Promise<OpenVault> => {
  const clock = { now: () => world.clock.now(), monotonic: () => performance.now() };
  return openVault({ keys: { file: undefined, inline: undefined }, dataDir }, world.database, clock);
};
