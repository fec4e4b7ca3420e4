import { CommandBus } from '@nestjs/cqrs';
import { setTimeout as pause } from 'node:timers/promises';
import { type Logger } from 'pino';
import { DemoAccount } from './accounts/demo-account.js';
import { DevelopmentProviderModule } from './accounts/development-provider.module.js';
import { AppModule } from './app.module.js';
import { categories } from './categories.js';
import { retryWhileUnavailable } from './kernel/retry-while-unavailable.js';
import { type Config } from './platform/config/config.js';
import { ConfigurationModule } from './boot/configuration.module.js';
import { HealthChecks } from './observability/health.js';
import { createHttpApplication } from './http/http-application.js';
import { createLogger, lineageOf } from './observability/logging.js';
import { Metrics } from './observability/metrics.js';
import { PaymentConnection } from './billing/stripe/connection.js';
import { isCatchingUp } from './log/project/read-model-states.js';
import { QueueWorkers } from './platform/queue/queue-workers.js';
import { ReactorRunner } from './log/react/reactor-runner.js';
import { Stores } from './boot/stores/stores.js';
import { NO_TELEMETRY, openTelemetry } from './boot/telemetry/telemetry.js';
import { type StoreAddresses } from './platform/tokens.js';

export interface Application {
  /** Starts to serve and, depending on the roles, the projections and the jobs. Returns the base URL. */
  listen(): Promise<string>;
  /** Drains: accepts no more requests, finishes the work under way, flushes. */
  close(): Promise<void>;
}

type Find = <Part>(token: abstract new (...parameters: never[]) => Part) => Part;

const startRoles = async ({ roles }: Config, find: Find): Promise<void> => {
  if (roles.has('projections')) await find(Stores).runner.start();
  if (!roles.has('jobs')) return;
  find(ReactorRunner).start();
  find(QueueWorkers).start();
};

/** Milliseconds. The limit keeps a start quick even with a long backlog; readiness waits for the rest. */
const CATCH_UP = 2_000;
const CATCH_UP_LOOK = 25;

/** Lets the read models catch up before the port opens. The first requests after a clean stop then find current rows. */
const catchUp = async ({ readModels }: Stores, logger: Logger): Promise<void> => {
  const deadline = performance.now() + CATCH_UP;
  while (isCatchingUp(await readModels.states())) {
    if (performance.now() > deadline) {
      logger.warn('read models are catching up: /health/ready says when they have');
      return;
    }
    await pause(CATCH_UP_LOOK);
  }
};

/** An embedded deployment starts with a demo account. */
const isEmbedded = (config: Config): boolean => config.databaseUrl === undefined && config.environment === 'sandbox';

/** The application of this deployment: its configuration, and the modules that only a development sandbox has. */
export const deployed = (config: Config, stores: StoreAddresses, logger: Logger, telemetry = NO_TELEMETRY) => ({
  module: AppModule,
  imports: [
    ConfigurationModule.forRoot({ config, stores, logger, categories, telemetry }),
    ...(config.developmentProvider ? [DevelopmentProviderModule] : []),
  ],
});

export const createApplication = async (config: Config, stores: StoreAddresses): Promise<Application> => {
  const logger: Logger = createLogger(config.logLevel, undefined, lineageOf(config.roles));
  const telemetry = await openTelemetry(config, logger);
  const http = await createHttpApplication(deployed(config, stores, logger, telemetry), config, logger);
  const find: Find = (token) => http.app.get(token, { strict: false });
  telemetry.tracing.commands(find(CommandBus));
  telemetry.sendMetrics(find(Metrics));
  let started = false;
  find(HealthChecks).register('start', true, () => (started ? 'up' : 'down'));
  return {
    listen: async () => {
      await startRoles(config, find);
      if (config.roles.has('api')) await retryWhileUnavailable(() => catchUp(find(Stores), logger));
      const baseUrl = await http.listen();
      if (isEmbedded(config))
        await retryWhileUnavailable(() => find(DemoAccount).ensure(config.publicUrl ?? baseUrl, baseUrl));
      if (config.roles.has('api')) find(PaymentConnection).deliverTo(baseUrl);
      started = true;
      find(HealthChecks).changed();
      return baseUrl;
    },
    close: async () => {
      started = false;
      find(HealthChecks).changed();
      await http.close();
      await telemetry.close();
      logger.flush();
    },
  };
};
