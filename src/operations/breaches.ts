import { Injectable } from '@nestjs/common';
import { type CommandMetadata, type StoredEvent } from '../kernel/events.js';
import { newUuid } from '../kernel/ids.js';
import { refuse } from '../kernel/rejection.js';
import { AggregateStore } from '../log/append/aggregate-store.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { breachCategory } from './domain/breach.category.js';
import { BREACH_STREAM, type BreachEvent, type BreachNoted } from './domain/breach.events.js';

const HOUR = 3_600_000;
/** GDPR, article 33 (1). */
export const HOURS_TO_NOTIFY = 72;

export type Breach = BreachNoted['data'];

/** What is noted, but for the clock. */
export type BreachScope = Pick<Breach, 'since' | 'until' | 'accounts' | 'persons'>;

/** A breach that is known from now on. Its clock starts once it is noted. */
export const newBreach = (scope: BreachScope, now: Date): Breach => ({
  breachId: newUuid(),
  ...scope,
  notedAt: now.toISOString(),
  dueAt: new Date(now.getTime() + HOURS_TO_NOTIFY * HOUR).toISOString(),
});

/** Breaches of personal data, and the clock of each. The stream is short, so every look reads it. */
@Injectable()
export class Breaches {
  constructor(
    private readonly store: EventStore,
    private readonly aggregates: AggregateStore,
  ) {}

  /** Starts the clock. */
  note(breach: Breach, metadata: CommandMetadata): Promise<void> {
    return this.append({ type: 'BreachNoted.v1', data: breach }, metadata);
  }

  /** Stops the clock. Throws not_found unless it runs. */
  async notified(breachId: string, now: Date, metadata: CommandMetadata): Promise<void> {
    if (!(await this.open()).some((breach) => breach.breachId === breachId)) throw refuse('not_found');
    await this.append({ type: 'BreachNotified.v1', data: { breachId, notifiedAt: now.toISOString() } }, metadata);
  }

  /** Those that the authority was not yet notified of, the soonest due first. */
  async open(): Promise<readonly Breach[]> {
    const events = (await this.store.read(BREACH_STREAM)) as readonly (StoredEvent & BreachEvent)[];
    const notified = new Set(events.flatMap(({ type, data }) => (type === 'BreachNotified.v1' ? [data.breachId] : [])));
    return events.flatMap(({ type, data }) =>
      type === 'BreachNoted.v1' && !notified.has(data.breachId) ? [data] : [],
    );
  }

  /** Hours left to notify the authority. Undefined where no clock runs. */
  async hoursLeft(now: Date): Promise<number | undefined> {
    const [soonest] = await this.open();
    return soonest && (Date.parse(soonest.dueAt) - now.getTime()) / HOUR;
  }

  private async append(event: BreachEvent, metadata: CommandMetadata): Promise<void> {
    await this.aggregates.append(breachCategory, BREACH_STREAM, { id: newUuid(), ...event }, { metadata });
  }
}
