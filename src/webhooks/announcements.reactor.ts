import { Inject, Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { type Announcement, type Announcer } from '../kernel/announcement.js';
import { type Clock } from '../kernel/clock.js';
import { type StoredEvent } from '../kernel/events.js';
import { announcers } from '../contract/announcements/announcements.module.js';
import { type Reaction } from '../kernel/reaction.js';
import { Reactor } from '../log/react/reactor.js';
import { CLOCK } from '../platform/tokens.js';
import { DeliveryJobs, KEPT_FOR } from './delivery-jobs.js';
import { Feed } from './feed.js';

/**
 * Writes what the slices announce of the log into the feed, each with its deliveries. The feed forgets by time and by erasure,
 * so a rebuild of a projection could not give the same rows. A new announcer reports earlier events only with a new `version`.
 */
@Reactor({
  name: 'announcements',
  version: 1,
  streamPrefixes: [],
  eventTypes: [],
  startsAt: 'beginning',
  // Events that arrive together share a transaction.
  concurrency: 250,
})
@Injectable()
export class AnnouncementsReactor implements Reaction {
  readonly follows: NonNullable<Reaction['follows']>;
  private readonly byType: ReadonlyMap<string, readonly Announcer[]>;

  constructor(
    private readonly feed: Feed,
    private readonly jobs: DeliveryJobs,
    modules: ModulesContainer,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    const all = announcers.in(modules);
    const eventTypes = [...new Set(all.flatMap((announcer) => announcer.eventTypes))];
    this.follows = { streamPrefixes: [...new Set(all.flatMap(({ streamPrefixes }) => streamPrefixes))], eventTypes };
    this.byType = new Map(eventTypes.map((type) => [type, all.filter((one) => one.eventTypes.includes(type))]));
  }

  readonly concerns = (event: StoredEvent): boolean => this.announcementsOf(event).length > 0;

  async handle(event: StoredEvent): Promise<void> {
    // At the first start over an old log. The feed would drop it soon.
    if (Date.parse(event.metadata.time) < this.clock.now().getTime() - KEPT_FOR) return;
    // Not awaited, since the deliveries are durable. The reconciler finds those that the queue did not take.
    void this.jobs.wake(await this.feed.announce(event, this.announcementsOf(event)));
  }

  private announcementsOf(event: StoredEvent): readonly Announcement[] {
    const candidates = this.byType.get(event.type) ?? [];
    return candidates
      .filter(({ streamPrefixes }) => streamPrefixes.some((prefix) => event.stream.startsWith(prefix)))
      .flatMap((announcer) => announcer.announce(event));
  }
}
