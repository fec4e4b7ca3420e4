import { Injectable } from '@nestjs/common';
import { type ErasedSubject, type Erases, ErasureStep } from '../contract/erasure/erasure-step.js';
import { Deliveries } from './deliveries.js';

/** What the feed and the deliveries say of an erased person, by the identity's id. */
@ErasureStep({ kind: 'webhook_payloads' })
@Injectable()
export class AnnouncementsErasure implements Erases {
  constructor(private readonly deliveries: Deliveries) {}

  erase({ tenantId, identityId }: ErasedSubject): Promise<number> {
    return this.deliveries.forget(tenantId, identityId);
  }
}
