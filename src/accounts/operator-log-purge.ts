import { Injectable } from '@nestjs/common';
import { EventStore } from '../platform/eventstore/event-store.js';
import { PurgeStep, type PurgeRound, type Purges } from '../contract/purging/purge-step.js';
import { purgeByAge } from '../contract/purging/streams.js';
import { OPERATOR_STREAM } from './domain/operator.events.js';

/** Purges the operators' acts, which are a record of security events. */
@Injectable()
@PurgeStep({ name: 'operator_log', categories: [OPERATOR_STREAM] })
export class OperatorLogPurge implements Purges {
  constructor(private readonly store: EventStore) {}

  purge(round: PurgeRound): Promise<void> {
    return purgeByAge(this.store, round, { stream: OPERATOR_STREAM, owner: 'operators' });
  }
}
