import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CommandBus } from '@nestjs/cqrs';
import { type EventStoreNode, startEventStoreNode } from '@kyc/event-store-node/node';
import { webhooks } from '../../projections/webhooks/webhooks.projection.js';
import { WebhookQueries } from '../../projections/webhooks/webhooks.queries.js';
import { ANNOUNCEMENT_TYPES } from '../../src/kernel/contract.js';
import { type Announcement } from '../../src/kernel/announcement.js';
import { type StoredEvent } from '../../src/kernel/events.js';
import { newTenantId, newUuid, type TenantId } from '../../src/kernel/ids.js';
import { DataKeyShredder } from '../../src/platform/crypto/data-key-shredder.js';
import { openVault, type OpenVault } from '../../src/platform/crypto/open-vault.js';
import { GrpcEventStore } from '../../src/platform/eventstore/grpc-event-store.js';
import { Metrics } from '../../src/observability/metrics.js';
import { nameServers } from '../../src/platform/outbound/filtered-look-up.js';
import { FilteredHttp } from '../../src/platform/outbound/filtered-http.js';
import { isLoopbackAddress } from '../../src/platform/outbound/public-addresses.js';
import { Database } from '../../src/platform/postgres/database.js';
import { PostgresReadModels, readModelSearchPath } from '../../src/log/project/read-models.js';
import { prepareReadModels, ProjectionRunner } from '../../src/log/project/runner.js';
import { InProcessJobQueue } from '../../src/platform/queue/in-process-queue.js';
import { type DisableEndpoint } from '../../src/webhooks/commands.js';
import { Deliveries } from '../../src/webhooks/deliveries.js';
import { DeliveryJobs } from '../../src/webhooks/delivery-jobs.js';
import { DeliveryRecord } from '../../src/webhooks/delivery-record.js';
import { DeliveryRound } from '../../src/webhooks/delivery-round.js';
import { webhookStream } from '../../src/webhooks/domain/endpoint.events.js';
import { EndpointReader } from '../../src/webhooks/endpoint-reader.js';
import { EndpointRepository } from '../../src/webhooks/endpoint-repository.js';
import {
  ChangeEndpointHandler,
  DeleteEndpointHandler,
  DisableEndpointHandler,
  EndpointUrls,
  RegisterEndpointHandler,
  RotateSecretHandler,
} from '../../src/webhooks/endpoint.handler.js';
import { EndpointReactor } from '../../src/webhooks/endpoint.reactor.js';
import { Feed } from '../../src/webhooks/feed.js';
import { Responses } from '../../src/webhooks/responses.js';
import { SealedMembers } from '../../src/webhooks/sealed-members.js';
import { Sender } from '../../src/webhooks/sender.js';
import { TestDelivery } from '../../src/webhooks/test-delivery.js';
import { aggregatesOf } from './aggregates.js';
import { ManualClock } from './manual-clock.js';
import { noteSecrets } from './receiver.js';
import { createDatabase, createServiceDatabase, eventually } from './stack.js';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

export const METADATA = { requestId: newUuid(), actor: { type: 'tenant', id: 'key-1' } } as const;

const WAIT_BUDGET_MS = { budgetMs: 10_000 };

/** An instance's part that delivers. Another one over the same stores stands for another process. */
export class DeliveringInstance {
  readonly failures: string[] = [];
  readonly queue = new InProcessJobQueue({
    failed: (queue, job, error) => this.failures.push(`${queue} ${job}: ${String(error)}`),
    dead: () => undefined,
  });
  readonly round: DeliveryRound;
  readonly jobs: DeliveryJobs;

  constructor(world: WebhookWorld, sender: Sender = world.sender) {
    const deliveries = new Deliveries(world.database);
    this.round = new DeliveryRound(
      world.index,
      deliveries,
      sender,
      world.members,
      world.responses,
      world.commands,
      new Metrics(),
      world.clock,
    );
    this.jobs = new DeliveryJobs(this.queue, deliveries, this.round, world.clock);
    this.queue.work('webhooks', 4, (job) => this.jobs.deliverQuick(job));
    this.queue.work('webhooks-slow', 4, (job) => this.jobs.deliverSlow(job));
  }

  async stop(): Promise<void> {
    this.jobs.beforeApplicationShutdown();
    await this.queue.close();
  }
}

/** The webhooks slice over a real node, a real Postgres and real HTTP. The test sets the clock. */
export class WebhookWorld {
  readonly clock = new ManualClock();
  readonly tenantId: TenantId = newTenantId();
  readonly index: WebhookQueries;
  readonly ledger: EndpointRepository;
  readonly reader: EndpointReader;
  readonly deliveries: Deliveries;
  readonly record: DeliveryRecord;
  readonly sender: Sender;
  readonly feed: Feed;
  readonly members: SealedMembers;
  readonly responses: Responses;
  readonly tests: TestDelivery;
  readonly reactor: EndpointReactor;
  readonly register: RegisterEndpointHandler;
  readonly change: ChangeEndpointHandler;
  readonly rotate: RotateSecretHandler;
  readonly remove: DeleteEndpointHandler;
  readonly commands: CommandBus;
  readonly notices: string[] = [];
  private position = 0n;

  private constructor(
    readonly store: GrpcEventStore,
    readonly database: Database,
    readonly vault: OpenVault,
    private readonly node: EventStoreNode,
    private readonly runner: ProjectionRunner,
    private readonly outbound: FilteredHttp,
    private readonly folder: string,
  ) {
    const { clock } = this;
    const readModels = new PostgresReadModels({ database, store, projections: [webhooks], board: runner.board });
    this.index = new WebhookQueries(readModels);
    this.ledger = new EndpointRepository(aggregatesOf(store, clock), vault.vault, this.index);
    this.reader = new EndpointReader(this.index, this.ledger);
    this.deliveries = new Deliveries(database);
    this.record = new DeliveryRecord(database);
    this.sender = new Sender(this.ledger, outbound, vault.hashes, clock);
    this.members = new SealedMembers(vault.vault);
    this.responses = new Responses(vault.vault);
    this.feed = new Feed(database, this.index, this.members, clock);
    this.tests = new TestDelivery(this.record, this.deliveries, this.sender, this.responses, clock);
    const shredder = new DataKeyShredder(database);
    const mailer = {
      notify: ({ subject, text }: { subject: string; text: string }) => this.note(`${subject}\n${text}`),
    };
    this.reactor = new EndpointReactor(shredder, this.deliveries, clock, mailer);
    const urls = new EndpointUrls(this.ledger, database);
    this.register = new RegisterEndpointHandler(this.ledger, this.index, outbound, urls, clock);
    this.change = new ChangeEndpointHandler(this.ledger, this.index, outbound, urls, clock);
    this.rotate = new RotateSecretHandler(this.ledger, clock);
    this.remove = new DeleteEndpointHandler(this.ledger, shredder, clock);
    const disable = new DisableEndpointHandler(this.ledger, clock);
    this.commands = { execute: (command: DisableEndpoint) => disable.execute(command) } as CommandBus;
  }

  static async open(): Promise<WebhookWorld> {
    const urls = { log: await createDatabase(), database: await createServiceDatabase() };
    const node = await startEventStoreNode({ databaseUrl: urls.log, port: 0 });
    const store = new GrpcEventStore({ connectionString: node.connectionString, ...WAIT_BUDGET_MS });
    await prepareReadModels(urls.database, [webhooks]);
    const searchPath = `public,${readModelSearchPath([webhooks])}`;
    const database = new Database({ connectionString: urls.database, searchPath, ...WAIT_BUDGET_MS });
    const runner = new ProjectionRunner({ projections: [webhooks], store, database: urls.database, log });
    await runner.start();
    const folder = mkdtempSync(join(tmpdir(), 'webhooks-'));
    const keys = { keys: { file: undefined, inline: undefined }, dataDir: folder };
    const vault = await openVault(keys, database, { now: () => new Date(), monotonic: () => performance.now() });
    const outbound = new FilteredHttp({
      plainHttp: true,
      resolve: nameServers(),
      isAllowed: isLoopbackAddress,
    });
    return new WebhookWorld(store, database, vault, node, runner, outbound, folder);
  }

  /** Registers a receiver of all events. Returns its id and its secret. */
  async endpoint(url: string, events: readonly string[] = ANNOUNCEMENT_TYPES, tenantId = this.tenantId) {
    const endpointId = newUuid();
    const data = { tenantId, endpointId, url, description: undefined, events, metadata: METADATA };
    const { secret } = await this.register.execute({ data } as never);
    noteSecrets(secret);
    return { endpointId, secret };
  }

  /** An event of the log, later than all that were stored before. */
  event(stream = `identity-${this.tenantId}_${newUuid()}`): StoredEvent {
    this.position += 1n;
    return {
      id: newUuid(),
      type: 'IdentityVerified.v1',
      data: {},
      metadata: {
        $correlationId: newUuid(),
        actor: { type: 'system', id: 's' },
        time: this.clock.now().toISOString(),
        schemaVersion: 1,
      },
      stream,
      revision: 0n,
      // Beyond every registration.
      position: 1_000_000_000_000n + this.position,
      created: this.clock.now(),
    };
  }

  /** Endpoints with deliveries that are due, in pages of `atOnce`. */
  async endpointsDue(atOnce?: number): Promise<readonly string[]> {
    const found: string[] = [];
    for await (const page of this.deliveries.endpointsDue(this.clock.now(), atOnce)) found.push(...page);
    return found;
  }

  /** Nothing is due at the endpoint or it rests, and every round has ended. */
  quiet(instance: DeliveringInstance, endpointId: string): Promise<unknown> {
    const resting = 'SELECT FROM webhook_receivers WHERE endpoint_id = $1 AND rests_until > $2';
    return eventually('the end of the deliveries that are due', async () => {
      await instance.jobs.reconcile();
      const rows = await this.record.list({ endpointId, limit: 100 });
      if ((await this.database.query(resting, [endpointId, this.clock.now()])).length > 0) return true;
      return rows.every(({ nextAttemptAt }) => nextAttemptAt === null || nextAttemptAt > this.clock.now());
    });
  }

  announce(announcements: readonly Announcement[], event = this.event()): Promise<readonly string[]> {
    return this.feed.announce(event, announcements);
  }

  /** The endpoint's events in its stream, oldest first. */
  endpointEvents(endpointId: string): Promise<StoredEvent[]> {
    return this.store.read(webhookStream(this.tenantId, endpointId));
  }

  private note(text: string): Promise<void> {
    this.notices.push(text);
    return Promise.resolve();
  }

  async close(): Promise<void> {
    this.outbound.onApplicationShutdown();
    await this.runner.stop();
    this.vault.close();
    await this.database.close();
    await this.store.close();
    await this.node.stop();
    rmSync(this.folder, { recursive: true });
  }
}
