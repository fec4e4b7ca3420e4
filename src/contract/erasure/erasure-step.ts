import { DiscoveryService } from '@nestjs/core';
import { type TenantId } from '../../kernel/ids.js';

/** A person whose hard delete is decided, at one tenant. */
export interface ErasedSubject {
  readonly tenantId: TenantId;
  readonly identityId: string;
  readonly identityHash: string;
  /** The person's data keys, already destroyed. */
  readonly dataKeyIds: readonly string[];
  /** Id of the event that decided the erasure. */
  readonly decisionId: string;
  readonly requestId: string;
}

/** What a slice removes of an erased person. The certificate of erasure names the kind and the count. */
export interface Erases {
  /** May be repeated. Returns the number of things that it removed or revoked now. Throws Unavailable. */
  erase(subject: ErasedSubject): Promise<number>;
}

/** Marks a provider that implements Erases. Every step ends before the erasure is complete. */
export const ErasureStep = DiscoveryService.createDecorator<{ readonly kind: string }>();
