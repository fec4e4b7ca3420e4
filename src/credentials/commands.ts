import { Command } from '@nestjs/cqrs';
import { type AccessRecord } from '../kernel/access.js';
import { type TenantId } from '../kernel/ids.js';
import { type CredentialSubject } from './attestations.js';

export interface IssuedCredential {
  readonly credentialId: string;
  readonly token: string;
  /** SPKI in PEM. */
  readonly publicKey: string;
  readonly expiresAt: string;
}

/** Signs a credential and records it. Refuses identity_not_eligible, and answers 429 after too many such refusals. */
export class IssueCredential extends Command<IssuedCredential> {
  constructor(
    readonly data: {
      readonly tenantId: TenantId;
      /** Of the deduction that pays for it: where that is refunded, the credential is undone. */
      readonly credentialId: string;
      readonly person: CredentialSubject;
      readonly access: AccessRecord;
      /** Refusals that this instance had noted when the caller last checked that the tenant need not wait. */
      readonly notedRefusals: number;
    },
  ) {
    super();
  }
}

/** A tenant's change of one of its credentials. Returns once the change is visible everywhere. */
export class ChangeCredential extends Command<void> {
  constructor(
    readonly data: {
      readonly tenantId: TenantId;
      readonly credentialId: string;
      readonly change: 'revoke' | 'suspend' | 'reinstate';
      readonly reason: string | undefined;
      /** A UUID. A repeated call with the same one finds the first change. */
      readonly changeId: string;
      /** Whether an earlier attempt, perhaps long ago, had the same changeId. */
      readonly repeated: boolean;
      readonly access: AccessRecord;
    },
  ) {
    super();
  }
}
