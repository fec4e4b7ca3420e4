import { Injectable } from '@nestjs/common';
import { EventStore } from '../platform/eventstore/event-store.js';
import { PurgeStep, type PurgeRound, type Purges } from '../contract/purging/purge-step.js';
import { purgeByAge } from '../contract/purging/streams.js';
import { SECURITY_STREAM } from './domain/security.events.js';

/** Purges refused accesses and reads of the logs. */
@Injectable()
@PurgeStep({ name: 'security_log', categories: [SECURITY_STREAM] })
export class SecurityLogPurge implements Purges {
  constructor(private readonly store: EventStore) {}

  purge(round: PurgeRound): Promise<void> {
    return purgeByAge(this.store, round, { stream: SECURITY_STREAM, owner: 'operators' });
  }
}
