import { setTimeout as pause } from 'node:timers/promises';
import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { type Logger } from 'pino';
import { projections } from '../projections/index.js';
import { DemoAccount } from './accounts/demo-account.js';
import { AuditModule } from './audit/audit.module.js';
import { RETENTION_QUEUE, RetentionJobs } from './audit/retention-jobs.js';
import { CreditsModule } from './credits/credits.module.js';
import { IdentityModule } from './identity/identity.module.js';
import { IngestionJobs, INGESTION_QUEUE } from './identity/ingestion-jobs.js';
import { JobQueue } from './kernel/jobs.js';
import { patiently } from './kernel/patiently.js';
import { type Config } from './platform/config/config.js';
import { HealthChecks } from './platform/http/health.js';
import { createHttpApplication } from './platform/http/http-application.js';
import { HttpModule } from './platform/http/http.module.js';
import { Metrics } from './platform/http/metrics.js';
import { createLogger } from './platform/http/logging.js';
import { PeriodicModule } from './platform/periodic/periodic.module.js';
import { healthOf, readinessOf } from './platform/projections/health.js';
import { observeProjections } from './platform/projections/metrics.js';
import { isCatchingUp } from './platform/projections/read-model-states.js';
import { QueueModule } from './platform/queue/queue.module.js';
import { ReactorRunner } from './platform/reactors/reactor-runner.js';
import { ReactorsModule } from './platform/reactors/reactors.module.js';
import { RateLimiter } from './platform/rate-limit/rate-limiter.js';
import { closePlatform, openPlatform, type Parts, type Platform, PlatformModule } from './platform.module.js';
import { PortsModule } from './ports.module.js';

@Module({})
class AppModule {
  static of(platform: Platform): DynamicModule {
    const { config } = platform;
    return {
      module: AppModule,
      imports: [
        PlatformModule.of(platform),
        CqrsModule.forRoot(),
        QueueModule.register({
          redisUrl: config.redisUrl,
          queues: [INGESTION_QUEUE, RETENTION_QUEUE],
        }),
        HttpModule,
        PeriodicModule,
        ReactorsModule,
        PortsModule.forDeployment(config),
        AuditModule,
        CreditsModule,
        IdentityModule,
      ],
    };
  }
}

export interface Application {
  /** Starts serving and, by role, projecting and working; answers with the base URL. */
  listen(): Promise<string>;
  /** Drains: stops accepting, finishes what runs, flushes. */
  close(): Promise<void>;
}

type Find = <Part>(token: abstract new (...parameters: never[]) => Part) => Part;

const registerHealth = (platform: Platform, find: Find, started: () => boolean): void => {
  const { store, database, readModels, runner, config } = platform;
  const health = find(HealthChecks);
  health.register('start', true, () => (started() ? 'up' : 'down'));
  health.register('event_store', true, () => (store.healthy ? 'up' : 'down'));
  health.register('postgres', true, () => database.query('SELECT 1').then(() => 'up' as const));
  health.register('queue', false, () => find(JobQueue).health());
  health.register('rate_limits', false, () => find(RateLimiter).health());
  for (const { name } of projections) {
    health.register(`read_model_${name}`, config.roles.has('api'), async () =>
      readinessOf((await readModels.states()).get(name)),
    );
  }
  if (!config.roles.has('projections')) return;
  observeProjections(runner, find(Metrics).registry);
  health.register('projections', false, () => healthOf(runner.status()));
};

const startRoles = async ({ config, runner }: Platform, find: Find): Promise<void> => {
  if (config.roles.has('projections')) await runner.start();
  if (!config.roles.has('jobs')) return;
  find(ReactorRunner).start();
  find(IngestionJobs).start();
  find(RetentionJobs).start();
};

/** Milliseconds, so that a start is quick also where there is much to catch up with; readiness waits for the rest. */
const CATCH_UP = 2_000;
const CATCH_UP_LOOK = 25;

/** Whoever calls as soon as the port is open after a clean stop is served: what requests ask of the rows is settled before. */
const catchUp = async ({ config, readModels, logger }: Platform): Promise<void> => {
  if (!config.roles.has('api')) return;
  const deadline = performance.now() + CATCH_UP;
  while (isCatchingUp(await readModels.states())) {
    if (performance.now() > deadline) {
      logger.warn('read models are catching up: /health/ready tells when they have');
      return;
    }
    await pause(CATCH_UP_LOOK);
  }
};

/** An embedded deployment begins with an account to try it. */
const isEmbedded = (config: Config): boolean => config.databaseUrl === undefined && config.environment === 'sandbox';

export const createApplication = async (config: Config, parts: Parts): Promise<Application> => {
  const logger: Logger = createLogger(config.logLevel);
  const platform = await patiently(() => openPlatform(config, parts, logger));
  const http = await createHttpApplication(AppModule.of(platform), config, logger);
  const find: Find = (token) => http.app.get(token, { strict: false });
  let started = false;
  registerHealth(platform, find, () => started);
  return {
    listen: async () => {
      await startRoles(platform, find);
      await patiently(() => catchUp(platform));
      const baseUrl = await http.listen();
      if (isEmbedded(config)) await patiently(() => find(DemoAccount).ensure(config.publicUrl ?? baseUrl, baseUrl));
      started = true;
      find(HealthChecks).changed();
      return baseUrl;
    },
    close: async () => {
      await http.close();
      await closePlatform(platform);
      logger.flush();
    },
  };
};
