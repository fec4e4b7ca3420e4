import { type DynamicModule, Module } from '@nestjs/common';
import { RequestTracing } from '../http/request-tracing.js';
import { WorkTracing } from '../kernel/work-tracing.js';
import { CategoryRegistry } from '../kernel/category-registry.js';
import { systemClock } from '../kernel/clock.js';
import { type Config } from '../platform/config/config.js';
import { LOGGER, type Logger } from '../observability/logging.js';
import { type Telemetry } from './telemetry/telemetry-port.js';
import { NO_TELEMETRY } from './telemetry/telemetry.js';
import { Tracing } from './telemetry/tracing.js';
import { CLOCK, CONFIG, STORE_ADDRESSES, type StoreAddresses, TELEMETRY } from '../platform/tokens.js';

export interface Deployment {
  readonly config: Config;
  readonly stores: StoreAddresses;
  readonly logger: Logger;
  /** All categories of streams in the log. */
  readonly categories: CategoryRegistry;
  /** By default nothing is sent. */
  readonly telemetry?: Telemetry;
}

/** Provides the configuration, the log, the clock, the categories of streams and what traces to every part, without an import. */
@Module({})
export class ConfigurationModule {
  static forRoot({ config, stores, logger, categories, telemetry = NO_TELEMETRY }: Deployment): DynamicModule {
    return {
      module: ConfigurationModule,
      global: true,
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: STORE_ADDRESSES, useValue: stores },
        { provide: LOGGER, useValue: logger },
        { provide: CLOCK, useValue: systemClock },
        { provide: CategoryRegistry, useValue: categories },
        { provide: TELEMETRY, useValue: telemetry },
        { provide: Tracing, useValue: telemetry.tracing },
        { provide: WorkTracing, useExisting: Tracing },
        { provide: RequestTracing, useExisting: Tracing },
      ],
      exports: [CONFIG, STORE_ADDRESSES, LOGGER, CLOCK, CategoryRegistry, Tracing, WorkTracing, RequestTracing],
    };
  }
}
