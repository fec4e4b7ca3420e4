import { tenantMetadata } from '../kernel/events.js';
import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CredentialQueries } from '../../projections/credentials/credentials.queries.js';
import { type AuditAction } from '../kernel/contract.js';
import { AuditTrail } from '../kernel/access.js';
import { auditedChange } from '../kernel/audited-change.js';
import { type Clock } from '../kernel/clock.js';
import { deriveUuid } from '../kernel/ids.js';
import { Unavailable } from '../kernel/unavailable.js';
import { CLOCK } from '../platform/tokens.js';
import { ChangeCredential } from './commands.js';
import { CredentialRepository } from './credential-repository.js';

/** Namespace of audit entry ids, which are derived from the changes' ids. */
const AUDIT_ENTRY_NAMESPACE = '0c7a1c86-6d2e-4a53-9b2e-6a4e2a8c1f57';

/** How long a response waits for the registry, milliseconds. */
const REGISTRY_BUDGET_MS = 5_000;

const ACTIONS: Readonly<Record<ChangeCredential['data']['change'], AuditAction>> = {
  revoke: 'credential_revoked',
  suspend: 'credential_suspended',
  reinstate: 'credential_reinstated',
};

/** Before the response, a change is audited, durable and visible in the registry, in this order. */
@CommandHandler(ChangeCredential)
export class ChangeCredentialHandler implements ICommandHandler<ChangeCredential, void> {
  constructor(
    private readonly credentials: CredentialRepository,
    private readonly audit: AuditTrail,
    private readonly registry: CredentialQueries,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ data }: ChangeCredential): Promise<void> {
    const { tenantId, change, reason, changeId, repeated, access } = data;
    const loaded = await this.credentials.load(data);
    const { issued } = loaded.state;
    const sealed = issued === null ? null : await this.credentials.sealReason(data, issued, changeId, reason);
    const command = { kind: change, cause: 'issuer', reason: sealed, now: this.clock.now() } as const;
    const metadata = tenantMetadata(access);
    const { position } = await auditedChange(this.audit, (record) =>
      this.credentials.change(data, command, metadata, {
        loaded,
        firstEventId: changeId,
        repeated,
        beforehand: ({ issued }, events) =>
          record({
            entryId: deriveUuid(AUDIT_ENTRY_NAMESPACE, changeId),
            tenantId,
            // What changes nothing still shows the credential's state.
            action: events.length === 0 ? 'credential_read' : ACTIONS[change],
            result: 'ok',
            ...(issued === null ? {} : { identityHash: issued.identityHash }),
            access,
          }),
      }),
    );
    // The change is durable. Only its visibility everywhere cannot be promised yet.
    if (position !== undefined && !(await this.registry.reaches(position, REGISTRY_BUDGET_MS)))
      throw new Unavailable('postgres');
  }
}
