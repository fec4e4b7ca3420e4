import pino from 'pino';
import { type StoredEvent } from '../../src/kernel/events.js';
import { type EventStore } from '../../src/platform/eventstore/event-store.js';
import { type LogRecord } from '@kyc/esdb-client/events';
import { Follower, type Following } from '../../src/log/follow/follower.js';
import { eventually } from './processes.js';

/** Follows the log to its present end, as the only process. */
export const followToEnd = async <Event extends StoredEvent | LogRecord>(
  following: Following<Event>,
  store: EventStore,
): Promise<void> => {
  const head = (await store.head()) ?? -1n;
  const follower = new Follower<Event>(following, { store, log: pino({ enabled: false }) });
  follower.start();
  try {
    await eventually(
      `${following.name} at the end of the log`,
      () => follower.state === 'live' && (follower.position ?? -1n) >= head,
    );
  } finally {
    await follower.stop();
  }
};
