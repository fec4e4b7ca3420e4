import { Injectable } from '@nestjs/common';
import { CredentialQueries } from '../../projections/credentials/credentials.queries.js';
import {
  IDENTITY_STREAM_PREFIX,
  type IdentityDeleted,
  type IdentityRestored,
} from '../identity/domain/identity.events.js';
import { type StoredEvent, tenantOfStream } from '../kernel/events.js';
import { type TenantId } from '../kernel/ids.js';
import { Unavailable } from '../kernel/unavailable.js';
import { type Reaction } from '../kernel/reaction.js';
import { Reactor } from '../log/react/reactor.js';
import { IdentityCredentials } from './identity-credentials.js';

/** How long the registry is waited for, milliseconds. */
const REGISTRY_BUDGET_MS = 5_000;

/** Suspends the tenant's credentials of a deleted identity, and reinstates them with its restoration. */
@Reactor({
  name: 'identity-credentials',
  version: 1,
  streamPrefixes: [IDENTITY_STREAM_PREFIX],
  eventTypes: ['IdentityDeleted.v1', 'IdentityRestored.v1'] satisfies readonly (
    IdentityDeleted | IdentityRestored
  )['type'][],
  startsAt: 'beginning',
})
@Injectable()
export class IdentityCredentialsReactor implements Reaction {
  constructor(
    private readonly registry: CredentialQueries,
    private readonly credentials: IdentityCredentials,
  ) {}

  async handle(event: StoredEvent): Promise<void> {
    const { type, data } = event as Pick<StoredEvent, 'id'> & (IdentityDeleted | IdentityRestored);
    const tenantId = tenantOfStream(event.stream) as TenantId;
    // Every credential that was issued before this event is in the registry then.
    if (!(await this.registry.reaches(event.position, REGISTRY_BUDGET_MS))) throw new Unavailable('read_models');
    // A credential of a later life does not share the fate of this one.
    const ids = await this.registry.ofIdentity(tenantId, data.identityId, event.position);
    const { $correlationId: requestId, actor } = event.metadata;
    const kind = type === 'IdentityDeleted.v1' ? 'suspend' : 'reinstate';
    const metadata = { requestId, causationId: event.id, actor };
    await this.credentials.changeAll(tenantId, ids, { kind, cause: 'identity_deleted' }, metadata);
  }
}
