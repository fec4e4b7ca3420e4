import { Injectable } from '@nestjs/common';
import { CredentialQueries } from '../../projections/credentials/credentials.queries.js';
import { offersUnderKeys } from '../../projections/credentials/offers.queries.js';
import { ReadModels } from '../log/project/projection.js';
import { Unavailable } from '../kernel/unavailable.js';
import { type ErasedSubject, type Erases, ErasureStep } from '../contract/erasure/erasure-step.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { IdentityCredentials } from './identity-credentials.js';

/** How long the registry is waited for, milliseconds. */
const REGISTRY_BUDGET_MS = 5_000;

/**
 * Revokes the credentials of an erased person, and ends what is offered for them. Their tokens are under the destroyed keys. Credentials that the tenant issued to
 * the person after the decision are under a new key, so they stay.
 */
@ErasureStep({ kind: 'credentials' })
@Injectable()
export class CredentialErasure implements Erases {
  constructor(
    private readonly store: EventStore,
    private readonly registry: CredentialQueries,
    private readonly readModels: ReadModels,
    private readonly credentials: IdentityCredentials,
  ) {}

  async erase({ tenantId, identityId, dataKeyIds, decisionId, requestId }: ErasedSubject): Promise<number> {
    const head = (await this.store.head()) ?? -1n;
    if (!(await this.registry.reaches(head, REGISTRY_BUDGET_MS))) throw new Unavailable('read_models');
    const ids = await this.registry.underKeys(tenantId, identityId, dataKeyIds);
    const metadata = { requestId, causationId: decisionId, actor: { type: 'system', id: 'erasure' } } as const;
    const offers = await offersUnderKeys(this.readModels, tenantId, identityId, dataKeyIds);
    const ended = await this.credentials.endOffers(tenantId, offers, metadata);
    const change = { kind: 'revoke', cause: 'identity_erased' } as const;
    return ended + (await this.credentials.changeAll(tenantId, ids, change, metadata));
  }
}
