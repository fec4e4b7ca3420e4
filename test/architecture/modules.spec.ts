import 'reflect-metadata';
import { type INestApplicationContext } from '@nestjs/common';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { AppModule } from '../../src/app.module.js';
import { categories } from '../../src/categories.js';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { ConfigurationModule } from '../../src/boot/configuration.module.js';
import { createLogger } from '../../src/observability/logging.js';
import { PurgeStep, type PurgeStepOptions } from '../../src/contract/purging/purge-step.js';
import { OutboundModule } from '../../src/boot/outbound.module.js';
import { StoresModule } from '../../src/boot/stores/stores.module.js';

describe('the modules of the application', () => {
  let preview: INestApplicationContext;
  let modules: ModulesContainer;

  // A preview finds what every provider needs, and makes none.
  beforeAll(async () => {
    const stores = { databaseUrl: '', eventStoreUrl: '' };
    const logger = createLogger('silent');
    const configuration = ConfigurationModule.forRoot({ config: loadConfig({}), stores, logger, categories });
    const application = { module: AppModule, imports: [configuration] };
    preview = await NestFactory.createApplicationContext(application, {
      preview: true,
      logger: false,
      abortOnError: false,
    });
    modules = preview.get(ModulesContainer);
  });
  afterAll(() => preview.close());

  it('purge what is kept for a time, each category by one step, and erase identities by their keys instead', () => {
    const bearers = [...modules.values()].flatMap(({ providers }) => [...providers.values()]);
    const steps = bearers.flatMap(({ metatype }) => {
      const options = metatype && (Reflect.getMetadata(PurgeStep.KEY, metatype) as PurgeStepOptions | undefined);
      return options === undefined || options === null ? [] : [options];
    });
    const limited = categories.categories.filter(({ kept }) => kept !== 'for_good').map(({ name }) => name);
    expect([...steps.flatMap((step) => step.categories), 'identity'].sort()).toEqual(limited.sort());
    const names = steps.map(({ name }) => name);
    expect(steps.flatMap(({ after = [] }) => after).filter((needed) => !names.includes(needed))).toEqual([]);
  });

  it('are global only for configuration, log, clock, stores, calls to the outside and the command bus', () => {
    const global = [...modules.values()].filter(({ isGlobal }) => isGlobal).map(({ metatype }) => metatype);
    const ofNest = global.filter((metatype) => /^InternalCoreModule/.test(metatype.name));
    expect(ofNest).toHaveLength(1);
    expect(new Set(global)).toEqual(
      new Set([ConfigurationModule, StoresModule, OutboundModule, CqrsModule, ...ofNest]),
    );
  });

  it('are shut down before the stores that they use', () => {
    // Nest shuts down what is nearest to the root first.
    const inOrder = [...modules.values()].sort((one, other) => one.distance - other.distance);
    const last = inOrder.slice(-inOrder.filter(({ isGlobal }) => isGlobal).length);
    expect(last.map(({ metatype }) => metatype)).toContain(StoresModule);
    expect(last.filter(({ isGlobal }) => !isGlobal)).toEqual([]);
  });
});
