import { defineCategory, type SnapshotFormat } from '../../kernel/category.js';
import { tenantOfStream } from '../../kernel/events.js';
import { type TenantId } from '../../kernel/ids.js';
import { type AccountCommand } from './account.commands.js';
import { accountStream } from './account.events.js';
import { type Account, accountDecider } from './account.js';
import { type ApiKey } from './key-grants.js';
import { type Member } from './members.js';
import { type OperatorProposal } from './operator-acts.js';
import { type AccountRecord, applyStored, emptyRecord, type SealedMember, type SealedText } from './account-record.js';

/** The account in a snapshot, with its texts still sealed. A change of its shape or of `evolve` needs a new version. */
interface KeptAccount {
  readonly account: Omit<Account, 'keys' | 'members' | 'proposals'>;
  readonly keys: readonly ApiKey[];
  readonly members: readonly Member[];
  readonly proposals: readonly OperatorProposal[];
  readonly proposalReasons: readonly (readonly [string, SealedText])[];
  readonly people: readonly (readonly [string, SealedMember])[];
  readonly contactEmail: SealedText | null;
  readonly suspensionReason: SealedText | null;
  readonly keyNames: readonly (readonly [string, SealedText])[];
  /** A decimal. */
  readonly revision: string;
}

const emptyRecordOf = (stream: string): AccountRecord => emptyRecord(tenantOfStream(stream) as TenantId);

const snapshots: SnapshotFormat<AccountRecord> = {
  version: 'account.7',
  encode: ({
    account: { keys, members, proposals, ...account },
    contactEmail,
    suspensionReason,
    keyNames,
    people,
    proposalReasons,
    revision,
  }): KeptAccount => ({
    account,
    keys: [...keys.values()],
    members: [...members.values()],
    proposals: [...proposals.values()],
    proposalReasons: [...proposalReasons],
    people: [...people],
    contactEmail: contactEmail ?? null,
    suspensionReason: suspensionReason ?? null,
    keyNames: [...keyNames],
    revision: revision.toString(),
  }),
  decode: (kept: KeptAccount, stream) => ({
    ...emptyRecordOf(stream),
    account: {
      ...kept.account,
      keys: new Map(kept.keys.map((key) => [key.keyId, key])),
      members: new Map(kept.members.map((member) => [member.memberId, member])),
      proposals: new Map(kept.proposals.map((proposal) => [proposal.proposalId, proposal])),
    },
    people: new Map(kept.people),
    proposalReasons: new Map(kept.proposalReasons),
    contactEmail: kept.contactEmail ?? undefined,
    suspensionReason: kept.suspensionReason ?? undefined,
    keyNames: new Map(kept.keyNames),
    revision: BigInt(kept.revision),
  }),
};

export const accountCategory = defineCategory({
  name: 'account',
  stream: accountStream,
  decider: {
    initialState: emptyRecordOf,
    decide: (command: AccountCommand, { account }: AccountRecord) => accountDecider.decide(command, account),
    evolve: (record, stored) => {
      applyStored(record, stored);
      return record;
    },
  },
  events: {
    'AccountCreated.v1': { personal: { contactEmail: 'texts' } },
    'AccountSuspended.v1': { personal: { reason: 'texts' } },
    'AccountReinstated.v1': { personal: { reason: 'texts' } },
    'AccountDistrusted.v1': { personal: { reason: 'texts' } },
    'AccountTrusted.v1': { personal: { reason: 'texts' } },
    'AccountLimitsChanged.v1': {},
    'AccountContactChanged.v1': { personal: { contactEmail: 'texts' } },
    'AccountRenamed.v1': {},
    'AccountTierChanged.v1': {},
    'AccountNamingChanged.v1': {},
    'AlertThresholdsChanged.v1': {},
    'ApiKeyIssued.v1': { personal: { name: 'texts' } },
    'ApiKeyLimited.v1': {},
    'ApiKeyRotated.v1': {},
    'ApiKeyRevoked.v1': {},
    'OperatorActProposed.v1': { personal: { reason: 'texts' } },
    'OperatorActApproved.v1': {},
    'OperatorActRejected.v1': {},
    'OperatorActFailed.v1': {},
    'MemberInvited.v1': { personal: { name: 'subject', email: 'subject' } },
    'MemberInvitedAgain.v1': {},
    'MemberJoined.v1': {},
    'PasskeyAdded.v1': {},
    'PasskeyRemoved.v1': {},
    'MemberRoleChanged.v1': {},
    'MemberRenamed.v1': { personal: { name: 'subject' } },
    'MemberRemoved.v1': {},
    'PaymentCustomerKept.v1': {},
    'SubscriptionStarted.v1': {},
    'SubscriptionRenewed.v1': {},
    'SubscriptionChanged.v1': {},
    'SubscriptionPastDue.v1': {},
    'SubscriptionLapsed.v1': {},
    'SubscriptionEnded.v1': {},
  },
  kept: 'for_good',
  snapshots,
});
