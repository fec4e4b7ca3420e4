import { type Clock } from '../../kernel/clock.js';
import { type AuditEntry, type AuditReference } from '../../kernel/access.js';
import { type AuditAction } from '../../kernel/contract.js';
import { deriveUuid, newUuid } from '../../kernel/ids.js';
import { type OperatorPrincipal, type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { type AccountMetadata } from '../domain/account-metadata.commands.js';

export type KeyContext = RequestContext<TenantPrincipal>;
export type OperatorContext = RequestContext<OperatorPrincipal>;
export type ManagementContext = KeyContext | OperatorContext;

/** The id of an effect. With an Idempotency-Key it is fixed in advance, so that every attempt has the same id. */
export const effectIdOf = (context: ManagementContext, effect: string): string =>
  context.keyed?.effectId(effect) ?? newUuid();

export const metadataOf = (context: ManagementContext, clock: Clock): AccountMetadata => ({
  requestId: context.requestId,
  commandId: effectIdOf(context, 'account_command'),
  actor: { type: context.principal.kind, id: context.actorId },
  at: clock.now().toISOString(),
});

/** The same command, with its entry of the account's audit log. */
export const withEntry = (
  metadata: AccountMetadata,
  entry: Pick<AuditEntry, 'tenantId' | 'action' | 'about' | 'access'>,
): AccountMetadata => ({
  ...metadata,
  entry: { entryId: deriveUuid(metadata.commandId, 'audit entry'), result: 'ok', ...entry },
});

/** With the entry of the account's audit log. What operators do stands in a log of their own. */
export const auditedMetadataOf = (
  context: ManagementContext,
  clock: Clock,
  action: AuditAction,
  about: AuditReference = {},
): AccountMetadata => {
  const metadata = metadataOf(context, clock);
  const { principal } = context;
  if (principal.kind === 'operator') return metadata;
  return withEntry(metadata, { tenantId: principal.tenantId, action, about, access: context });
};
