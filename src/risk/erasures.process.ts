import { identityStream, type IdentityEvent } from '../identity/domain/identity.events.js';
import { type StoredEvent } from '../kernel/events.js';
import { type TenantId } from '../kernel/ids.js';

/** The stream that reports a person's erasure. */
export const lifeOf = (tenantId: TenantId, identityId: string): string => identityStream(tenantId, identityId);

const ERASURES: readonly string[] = [
  'IdentityErasureDecided.v1',
  'IdentityErased.v1',
] satisfies readonly IdentityEvent['type'][];

export const isErasure = ({ type }: StoredEvent): boolean => ERASURES.includes(type);
