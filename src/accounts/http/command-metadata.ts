import { type Clock } from '../../kernel/clock.js';
import { newUuid } from '../../kernel/ids.js';
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
