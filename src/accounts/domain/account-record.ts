import { type Envelope } from '../../kernel/envelope.js';
import { type Recorded } from '../../kernel/events.js';
import { type TenantId } from '../../kernel/ids.js';
import { type AccountEvent, accountStream } from './account.events.js';
import { type Account, accountDecider } from './account.js';

/** A text as the stream holds it, with the data needed to decrypt it. */
export interface SealedText {
  readonly envelope: Envelope;
  readonly eventId: string;
  readonly field: 'contactEmail' | 'reason' | 'name' | 'email';
}

export interface SealedMember {
  readonly name: SealedText;
  readonly email: SealedText;
}

/** An account's state from its stream: the part for decisions, and the sealed texts that only a reader decrypts. */
export interface AccountRecord {
  readonly tenantId: TenantId;
  account: Account;
  contactEmail: SealedText | undefined;
  suspensionReason: SealedText | undefined;
  readonly keyNames: Map<string, SealedText>;
  /** Of what operators proposed. */
  readonly proposalReasons: Map<string, SealedText>;
  /** Of members that were not removed. */
  readonly people: Map<string, SealedMember>;
  /** Revision of the last event applied. -1 before the first. */
  revision: bigint;
}

export const emptyRecord = (tenantId: TenantId): AccountRecord => ({
  tenantId,
  account: accountDecider.initialState(),
  contactEmail: undefined,
  suspensionReason: undefined,
  keyNames: new Map(),
  people: new Map(),
  proposalReasons: new Map(),
  revision: -1n,
});

const keepTexts = (record: AccountRecord, event: AccountEvent, eventId: string): void => {
  switch (event.type) {
    case 'AccountCreated.v1':
    case 'AccountContactChanged.v1':
      record.contactEmail = { envelope: event.data.contactEmail, eventId, field: 'contactEmail' };
      return;
    case 'AccountSuspended.v1':
      record.suspensionReason =
        event.data.reason === null ? undefined : { envelope: event.data.reason, eventId, field: 'reason' };
      return;
    case 'AccountReinstated.v1':
      record.suspensionReason = undefined;
      return;
    case 'ApiKeyIssued.v1':
      record.keyNames.set(event.data.keyId, { envelope: event.data.name, eventId, field: 'name' });
      return;
    case 'OperatorActProposed.v1': {
      const { proposalId, reason } = event.data;
      record.proposalReasons.set(proposalId, { envelope: reason, eventId, field: 'reason' });
      return;
    }
    case 'MemberInvited.v1': {
      const { memberId, name, email } = event.data;
      record.people.set(memberId, {
        name: { envelope: name, eventId, field: 'name' },
        email: { envelope: email, eventId, field: 'email' },
      });
      return;
    }
    case 'MemberRenamed.v1': {
      const { memberId, name } = event.data;
      const known = record.people.get(memberId);
      if (known !== undefined)
        record.people.set(memberId, { ...known, name: { envelope: name, eventId, field: 'name' } });
      return;
    }
    case 'MemberRemoved.v1':
      record.people.delete(event.data.memberId);
      return;
    case 'OperatorActApproved.v1':
    case 'OperatorActRejected.v1':
    case 'OperatorActFailed.v1':
    case 'MemberInvitedAgain.v1':
    case 'MemberJoined.v1':
    case 'MemberRoleChanged.v1':
    case 'PasskeyAdded.v1':
    case 'PasskeyRemoved.v1':
    case 'AccountDistrusted.v1':
    case 'AccountTrusted.v1':
    case 'AccountRenamed.v1':
    case 'AccountTierChanged.v1':
    case 'AccountLimitsChanged.v1':
    case 'AccountNamingChanged.v1':
    case 'AlertThresholdsChanged.v1':
    case 'ApiKeyLimited.v1':
    case 'ApiKeyRotated.v1':
    case 'ApiKeyRevoked.v1':
    case 'PaymentCustomerKept.v1':
    case 'SubscriptionStarted.v1':
    case 'SubscriptionRenewed.v1':
    case 'SubscriptionChanged.v1':
    case 'SubscriptionPastDue.v1':
    case 'SubscriptionLapsed.v1':
    case 'SubscriptionEnded.v1':
      return;
  }
};

/**
 * Applies the stream's next event in place and ignores events already applied. Returns false if earlier events are
 * missing.
 */
export const applyStored = (record: AccountRecord, event: Recorded<AccountEvent>): boolean => {
  if (event.revision <= record.revision) return true;
  if (event.revision !== record.revision + 1n) return false;
  record.account = accountDecider.evolve(record.account, event);
  keepTexts(record, event, event.id);
  record.revision = event.revision;
  return true;
};

/** The place to which a sealed text of an account is bound. */
export const placeOf = (tenantId: TenantId, eventId: string, field: SealedText['field']) => ({
  tenantId,
  stream: accountStream(tenantId),
  eventId,
  field,
});
