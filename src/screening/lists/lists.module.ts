import { Inject, Module } from '@nestjs/common';
import { type Clock } from '../../kernel/clock.js';
import { type Config } from '../../platform/config/config.js';
import { AggregateStore } from '../../log/append/aggregate-store.js';
import { EventStore } from '../../platform/eventstore/event-store.js';
import { LOGGER, type Logger } from '../../observability/logging.js';
import { Metrics } from '../../observability/metrics.js';
import { MonitoringModule } from '../../observability/monitoring.module.js';
import { Database } from '../../platform/postgres/database.js';
import { CLOCK, CONFIG } from '../../platform/tokens.js';
import { type ListId, Screener } from '../screener.js';
import { Accepting } from './accepting.js';
import { ListScreener } from './list-screener.js';
import { ListStore } from './list-store.js';
import { PresentLists } from './present-lists.js';
import { publishersFor } from './publishers.js';
import { DailyRefresh, Refreshing } from './refreshing.js';

/** The lists to screen against: which versions are in force, and the screening itself. */
@Module({
  imports: [MonitoringModule],
  providers: [
    { provide: ListStore, inject: [Database], useFactory: (database: Database) => new ListStore(database) },
    {
      provide: Accepting,
      inject: [AggregateStore, ListStore],
      useFactory: (aggregates: AggregateStore, store: ListStore) => new Accepting(aggregates, store),
    },
    {
      provide: DailyRefresh,
      inject: [Accepting, ListStore, CONFIG, CLOCK, LOGGER],
      useFactory: (accepting: Accepting, store: ListStore, config: Config, clock: Clock, logger: Logger) =>
        new DailyRefresh(
          new Refreshing(accepting, store, publishersFor(config.screening)),
          store,
          config,
          clock,
          logger,
        ),
    },
    {
      provide: PresentLists,
      inject: [Accepting, ListStore, EventStore, CONFIG, CLOCK],
      useFactory: (accepting: Accepting, store: ListStore, events: EventStore, config: Config, clock: Clock) =>
        new PresentLists(accepting, store, events, config, clock),
    },
    {
      provide: Screener,
      inject: [PresentLists, ListStore, CONFIG, LOGGER],
      useFactory: (lists: PresentLists, store: ListStore, config: Config, logger: Logger) =>
        new ListScreener(lists, store, config, logger),
    },
  ],
  exports: [Screener, PresentLists],
})
export class ListsModule {
  constructor(store: ListStore, @Inject(CLOCK) clock: Clock, @Inject(CONFIG) { screening }: Config, metrics: Metrics) {
    const awaited = screening.downloads ? [...publishersFor(screening).keys()] : [];
    const help = 'Time since a publisher last answered, or a list was imported; +Inf if it never did';
    metrics.storedGauges('screening_list_age_seconds', help, 'list', async () => {
      const answers = await store.lastAnswers();
      const now = clock.now().getTime();
      const ageOf = (list: ListId): number => {
        const answered = answers.get(list)?.answeredAt.getTime() ?? 0;
        return answered === 0 ? Infinity : (now - answered) / 1_000;
      };
      const answered = [...answers.keys()].filter((list) => ageOf(list) < Infinity);
      return new Map([...awaited, ...answered].map((list) => [list, ageOf(list)]));
    });
  }
}
