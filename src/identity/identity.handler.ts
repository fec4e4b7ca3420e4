import { tenantMetadata } from '../kernel/events.js';
import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EligibilityQueries } from '../../projections/eligibility/eligibility.queries.js';
import { type AuditAction } from '../kernel/contract.js';
import { type AuditReference, AuditTrail } from '../kernel/access.js';
import { auditedChange } from '../kernel/audited-change.js';
import { type Clock } from '../kernel/clock.js';
import { deriveUuid } from '../kernel/ids.js';
import { invariant } from '../kernel/invariant.js';
import { Unavailable } from '../kernel/unavailable.js';
import { type Config } from '../platform/config/config.js';
import { CLOCK, CONFIG } from '../platform/tokens.js';
import { type DeletedIdentity, DeleteIdentity, type IdentityRequest, RestoreIdentity } from './commands.js';
import { type IdentityCommand } from './domain/identity.commands.js';
import { type IdentityEvent } from './domain/identity.events.js';
import { type Identity } from './domain/identity.js';
import { type IdentityHistory } from './domain/identity-history.js';
import { IdentityRepository } from './identity-repository.js';

/** Namespace of audit entry ids, which are derived from the changes' ids. */
const AUDIT_ENTRY_NAMESPACE = '8f7d3b52-64f1-4f0e-9c39-5a4f0c1e7d26';

/** How long a response waits for the index, milliseconds (docs/contract.md, Identities). */
const INDEX_BUDGET_MS = 5_000;

/** Id of the audit entry for the change whose event has this id. */
export const auditEntryOf = (changeId: string): string => deriveUuid(AUDIT_ENTRY_NAMESPACE, changeId);

/**
 * Makes changes that a tenant requests. What changes nothing leaves no entry. Before the response, a change is audited, durable and visible in the index,
 * in this order. So every change has its audit entry, even if the process dies. An entry without a change means that
 * the change was allowed but not carried out, or refused by then. Its caller got no success.
 */
export abstract class IdentityChange {
  constructor(
    private readonly ledger: IdentityRepository,
    private readonly audit: AuditTrail,
    private readonly index: EligibilityQueries,
    protected readonly clock: Clock,
  ) {}

  protected async change(
    request: IdentityRequest,
    command: IdentityCommand,
    action: AuditAction,
    about: AuditReference = {},
  ): Promise<Identity> {
    const { tenantId, changeId, repeated = false, access } = request;
    const metadata = tenantMetadata(access);
    const { state, position } = await auditedChange(this.audit, (record) => {
      const beforehand = async (
        { identity: { identityHash } }: IdentityHistory,
        events: readonly IdentityEvent[],
      ): Promise<void> => {
        if (events.length === 0) return;
        await record({ entryId: auditEntryOf(changeId), tenantId, action, result: 'ok', identityHash, about, access });
      };
      const options = { firstEventId: changeId, repeated, beforehand };
      return this.ledger.execute(request, command, metadata, options);
    });
    invariant(position !== undefined, 'what was changed is in the log');
    // The change is durable. Only its visibility everywhere cannot be promised yet.
    if (!(await this.index.reaches(position, INDEX_BUDGET_MS))) throw new Unavailable('postgres');
    return state.identity;
  }
}

@CommandHandler(DeleteIdentity)
export class DeleteIdentityHandler extends IdentityChange implements ICommandHandler<DeleteIdentity, DeletedIdentity> {
  constructor(
    ledger: IdentityRepository,
    audit: AuditTrail,
    index: EligibilityQueries,
    @Inject(CLOCK) clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    super(ledger, audit, index, clock);
  }

  async execute({ data }: DeleteIdentity): Promise<DeletedIdentity> {
    const { gracePeriod } = this.config.erasure;
    const command = { kind: 'delete', identityId: data.identityId, now: this.clock.now(), gracePeriod } as const;
    const { deletedAt, purgeAt } = await this.change(data, command, 'identity_deleted');
    invariant(deletedAt !== null && purgeAt !== null, 'a deleted identity has its times');
    return { deletedAt, purgeAt };
  }
}

@CommandHandler(RestoreIdentity)
export class RestoreIdentityHandler extends IdentityChange implements ICommandHandler<RestoreIdentity, void> {
  constructor(ledger: IdentityRepository, audit: AuditTrail, index: EligibilityQueries, @Inject(CLOCK) clock: Clock) {
    super(ledger, audit, index, clock);
  }

  async execute({ data }: RestoreIdentity): Promise<void> {
    const command = { kind: 'restore', identityId: data.identityId, now: this.clock.now() } as const;
    await this.change(data, command, 'identity_restored');
  }
}
