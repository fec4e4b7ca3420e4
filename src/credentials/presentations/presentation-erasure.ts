import { Injectable } from '@nestjs/common';
import { type ErasedSubject, type Erases, ErasureStep } from '../../contract/erasure/erasure-step.js';
import { PresentationRequests } from './presentation-requests.js';

/** Forgets what wallets showed of an erased person to the account within the last day. */
@ErasureStep({ kind: 'presentations' })
@Injectable()
export class PresentationErasure implements Erases {
  constructor(private readonly presentations: PresentationRequests) {}

  erase({ tenantId, identityHash }: ErasedSubject): Promise<number> {
    return this.presentations.forgetPerson(tenantId, identityHash);
  }
}
