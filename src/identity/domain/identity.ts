import { NOT_ANOTHER } from '../../kernel/persons.js';
import { type ExpiryNotice, isNoticeDue } from '../../kernel/expiry-notices.js';
import { confidenceOf, type Evidence } from './confidence.js';
import { type Decider } from '../../kernel/decider.js';
import { type KycStatus } from '../../kernel/kyc.js';
import { refuse } from '../../kernel/rejection.js';
import { YEARS_KEPT, yearsFrom } from '../../kernel/retention.js';
import { type AttestationOrder, type IdentityCommand } from './identity.commands.js';
import { type AttestedRecord, type IdentityEvent } from './identity.events.js';

/** How long a soft-deleted identity can be restored, milliseconds (30 days). */
export const GRACE_PERIOD = 30 * 24 * 3_600_000;

/** Identities whose last activity is before this time are no longer kept. */
export const inactivityLimit = (now: Date): Date => yearsFrom(now, -YEARS_KEPT.identityData);

/** The state that decisions about an identity need. The record itself stays encrypted in the stream. */
export interface Identity {
  /** `erasing`: the erasure is decided. `erased`: it is complete, and a new life may begin. */
  readonly phase: 'none' | 'active' | 'deleted' | 'erasing' | 'erased';
  /** The newest ingestion applied, in any life. */
  readonly lastApplied: AttestationOrder | null;
  readonly identityHash: string;
  readonly kycStatus: KycStatus | null;
  readonly kycExpiresAt: string | null;
  /** The latest notice of the expiry. */
  readonly noticed: ExpiryNotice | null;
  readonly lastVerifiedAt: string | null;
  readonly deletedAt: string | null;
  readonly purgeAt: string | null;
  /** Every data key of this life's records; that of the latest record is the last. */
  readonly dataKeyIds: readonly string[];
  /** Every data key that was destroyed with an earlier life. */
  readonly destroyedKeyIds: readonly string[];
  /** Time of the last ingestion or restoration in this life. */
  readonly lastActivityAt: string | null;
  /** An erasure at once that waits for another person. It ends with each change of the identity. */
  readonly erasureProposal: { readonly proposalId: string; readonly by: string; readonly at: string } | null;
}

const initialState = (): Identity => ({
  phase: 'none',
  lastApplied: null,
  identityHash: '',
  kycStatus: null,
  kycExpiresAt: null,
  noticed: null,
  lastVerifiedAt: null,
  deletedAt: null,
  purgeAt: null,
  dataKeyIds: [],
  destroyedKeyIds: [],
  lastActivityAt: null,
  erasureProposal: null,
});

/** Negative if the first was accepted before the second, zero if together, positive if after. */
export const compareOrder = (one: AttestationOrder, other: AttestationOrder): number =>
  one.position === other.position ? one.recordIndex - other.recordIndex : one.position < other.position ? -1 : 1;

/** Whether a newer ingestion is already applied. */
export const isSuperseded = (identity: Identity, order: AttestationOrder): boolean =>
  identity.lastApplied !== null && compareOrder(order, identity.lastApplied) < 0;

/** Whether the grace period is over. It ends on time for every reader and writer, even if the erasure runs later. */
export const isPastGrace = ({ phase, purgeAt }: Identity, now: Date): boolean =>
  phase === 'deleted' && purgeAt !== null && now.toISOString() >= purgeAt;

type Apply = Extract<IdentityCommand, { kind: 'apply' }>;

/** A notice counts as long as approval and expiry stay: a record that is sent again brings no second one. */
const noticedStill = (
  { kycStatus, kycExpiresAt, noticed }: Identity,
  next: Pick<Identity, 'kycStatus' | 'kycExpiresAt'> = { kycStatus, kycExpiresAt },
): Pick<AttestedRecord, 'noticed'> => {
  const isAsBefore = next.kycStatus === kycStatus && next.kycExpiresAt === kycExpiresAt;
  return isAsBefore && noticed !== null ? { noticed } : {};
};

const applyAttestation = ({ record, order, suppliedUnder }: Apply, identity: Identity): IdentityEvent[] => {
  // On a retry, the record is already applied. An older ingestion does not replace a newer one.
  if (identity.lastApplied !== null && compareOrder(order, identity.lastApplied) <= 0) return [];
  if (identity.phase === 'deleted' || identity.phase === 'erasing') throw refuse('identity_deleted');
  // A process that opened the record before the erasure and then stalled may still hold erased data.
  const keys = [suppliedUnder, record.personal.key];
  if (keys.some((key) => identity.destroyedKeyIds.includes(key))) throw refuse('identity_deleted');
  const data: AttestedRecord = {
    identityId: record.identityId,
    identityHash: record.identityHash,
    ingestionId: record.ingestionId,
    recordIndex: order.recordIndex,
    acceptedPosition: order.position.toString(),
    receivedAt: record.receivedAt,
    kycStatus: record.kycStatus,
    tier: record.tier,
    kycExpiresAt: record.kycExpiresAt,
    ...noticedStill(identity, record),
    lastVerifiedAt: record.kycStatus === 'APPROVED' ? record.receivedAt : identity.lastVerifiedAt,
    personal: record.personal,
    ...(record.externalId === undefined ? {} : { externalId: record.externalId }),
  };
  const begins = identity.phase === 'none' || identity.phase === 'erased';
  return [
    { type: begins ? 'IdentityIngested.v1' : 'IdentityUpdated.v1', data },
    ...announcements(data, record.evidence),
  ];
};

const announcements = (record: AttestedRecord, evidence: Evidence): IdentityEvent[] => {
  const { identityId, identityHash, tier, receivedAt, kycExpiresAt } = record;
  switch (record.kycStatus) {
    case 'APPROVED':
      return [
        {
          type: 'IdentityVerified.v1',
          data: {
            identityId,
            identityHash,
            tier,
            verifiedAt: receivedAt,
            kycExpiresAt,
            confidence: confidenceOf(evidence, record),
          },
        },
      ];
    case 'PENDING_REVIEW':
      return [{ type: 'IdentityFlagged.v1', data: { identityId, identityHash, flaggedAt: receivedAt } }];
    case 'REJECTED':
    case 'EXPIRED':
      return [];
  }
};

const notify = (
  { identityId, notice, days, now }: Extract<IdentityCommand, { kind: 'notify' }>,
  { phase, kycStatus, kycExpiresAt, identityHash, noticed }: Identity,
): IdentityEvent[] => {
  if (phase !== 'active' || kycStatus !== 'APPROVED' || kycExpiresAt === null) return [];
  if (!isNoticeDue({ expiresAt: kycExpiresAt, noticed }, notice, { days, now })) return [];
  const data = { identityId, identityHash, kycExpiresAt, notice, noticedAt: now.toISOString() };
  return [{ type: 'IdentityExpiring.v1', data }];
};

const expire = ({ identityId, now }: Extract<IdentityCommand, { kind: 'expire' }>, identity: Identity) => {
  const { phase, kycStatus, kycExpiresAt, identityHash } = identity;
  if ((phase !== 'active' && phase !== 'deleted') || kycStatus !== 'APPROVED' || kycExpiresAt === null) return [];
  if (now.toISOString() < kycExpiresAt) return [];
  const data = { identityId, identityHash, kycExpiresAt, expiredAt: now.toISOString() };
  return [{ type: 'IdentityExpired.v1', data } satisfies IdentityEvent];
};

const softDelete = (command: Extract<IdentityCommand, { kind: 'delete' }>, identity: Identity) => {
  const { identityId, now, gracePeriod = GRACE_PERIOD } = command;
  if (isPastGrace(identity, now)) throw refuse('not_found');
  if (identity.phase === 'deleted') return [];
  if (identity.phase !== 'active') throw refuse('not_found');
  const data = {
    identityId,
    identityHash: identity.identityHash,
    deletedAt: now.toISOString(),
    purgeAt: new Date(now.getTime() + gracePeriod).toISOString(),
  };
  return [{ type: 'IdentityDeleted.v1', data } satisfies IdentityEvent];
};

const deletedAtOnce = (identity: Identity, identityId: string, at: string, proposedBy?: string): IdentityEvent => {
  const { identityHash, deletedAt } = identity;
  const data = { identityId, identityHash, deletedAt: deletedAt ?? at, purgeAt: at, atOnce: true } as const;
  return { type: 'IdentityDeleted.v1', data: proposedBy === undefined ? data : { ...data, proposedBy } };
};

const eraseAtOnce = (
  { identityId, now, proposal }: Extract<IdentityCommand, { kind: 'erase_at_once' }>,
  identity: Identity,
): IdentityEvent[] => {
  const { phase, identityHash, erasureProposal } = identity;
  if (phase === 'none' || phase === 'erased') throw refuse('not_found');
  // It is due already, or under way.
  if (phase === 'erasing' || isPastGrace(identity, now)) return [];
  const at = now.toISOString();
  if (proposal === undefined) return [deletedAtOnce(identity, identityId, at)];
  if (erasureProposal !== null)
    throw refuse('erasure_state', { detail: 'The erasure is proposed already: another person approves or rejects it' });
  const { proposalId, by: proposedBy } = proposal;
  const data = { identityId, identityHash, proposalId, proposedBy, proposedAt: at };
  return [{ type: 'ErasureProposed.v1', data }];
};

const answerErasure = (
  { identityId, now, proposalId, isApproved, isAnother }: Extract<IdentityCommand, { kind: 'answer_erasure' }>,
  identity: Identity,
): IdentityEvent[] => {
  const { phase, identityHash, erasureProposal: proposal } = identity;
  if (phase === 'none' || phase === 'erased') throw refuse('not_found');
  if (phase === 'erasing' || isPastGrace(identity, now))
    throw refuse('erasure_state', { detail: 'The identity is being erased already' });
  if (proposal?.proposalId !== proposalId)
    throw refuse('erasure_state', { detail: 'No such erasure of the identity is proposed now: read it again' });
  const at = now.toISOString();
  if (!isApproved) return [{ type: 'ErasureRejected.v1', data: { identityId, identityHash, rejectedAt: at } }];
  if (!isAnother(proposal.by)) throw refuse('forbidden', { detail: NOT_ANOTHER });
  return [deletedAtOnce(identity, identityId, at, proposal.by)];
};

const restore = ({ identityId, now }: Extract<IdentityCommand, { kind: 'restore' }>, identity: Identity) => {
  if (identity.phase === 'active') throw refuse('identity_not_deleted');
  if (identity.phase !== 'deleted' || isPastGrace(identity, now)) throw refuse('not_found');
  const { identityHash, kycStatus } = identity;
  const kycExpiresAt = kycStatus === 'APPROVED' ? identity.kycExpiresAt : null;
  const data = { identityId, identityHash, restoredAt: now.toISOString(), kycExpiresAt, ...noticedStill(identity) };
  return [{ type: 'IdentityRestored.v1', data } satisfies IdentityEvent];
};

const isPresent = ({ phase }: Identity): boolean => phase === 'active' || phase === 'deleted';

const decideErasure = (
  command: Extract<IdentityCommand, { kind: 'decide_erasure' }>,
  identity: Identity,
): IdentityEvent[] => {
  const now = command.now.toISOString();
  // An ingestion that was never carried out leaves no record that could be lost.
  const absent = (identity.phase === 'none' || identity.phase === 'erased') && command.lostKeyId === undefined;
  const identityHash = absent ? command.dormantHash : identity.identityHash;
  const latestKey = identity.dataKeyIds.at(-1) ?? '';
  const isLost = isPresent(identity) && command.lostKeyId === latestKey && !command.presentKeyIds.includes(latestKey);
  const due =
    isLost ||
    absent ||
    isPastGrace(identity, command.now) ||
    (identity.phase === 'active' &&
      identity.lastActivityAt !== null &&
      identity.lastActivityAt < command.inactiveSince);
  // The identity was restored, updated or erased after it was found due.
  if (!due || identityHash === undefined) return [];
  return [
    {
      type: 'IdentityErasureDecided.v1',
      data: {
        identityId: command.identityId,
        identityHash,
        reason: isLost ? 'data_lost' : identity.phase === 'deleted' ? 'deletion' : 'retention',
        decidedAt: now,
        dataKeyIds: [...new Set([...identity.dataKeyIds, ...command.presentKeyIds])],
      },
    },
  ];
};

const completeErasure = (
  command: Extract<IdentityCommand, { kind: 'complete_erasure' }>,
  identity: Identity,
): IdentityEvent[] => {
  if (identity.phase !== 'erasing') return [];
  return [
    {
      type: 'IdentityErased.v1',
      data: {
        identityId: command.identityId,
        identityHash: identity.identityHash,
        erasedAt: command.now.toISOString(),
        dataKeyIds: identity.dataKeyIds,
        destroyed: command.destroyed,
        backupsLastUntil: command.backupsLastUntil,
        certificate: command.certificate,
      },
    },
  ];
};

const decide = (command: IdentityCommand, identity: Identity): readonly IdentityEvent[] => {
  switch (command.kind) {
    case 'apply':
      return applyAttestation(command, identity);
    case 'notify':
      return notify(command, identity);
    case 'expire':
      return expire(command, identity);
    case 'delete':
      return softDelete(command, identity);
    case 'erase_at_once':
      return eraseAtOnce(command, identity);
    case 'answer_erasure':
      return answerErasure(command, identity);
    case 'restore':
      return restore(command, identity);
    case 'decide_erasure':
      return decideErasure(command, identity);
    case 'complete_erasure':
      return completeErasure(command, identity);
  }
};

const withRecord = (identity: Identity, record: AttestedRecord): Identity => ({
  ...identity,
  phase: 'active',
  lastApplied: { position: BigInt(record.acceptedPosition), recordIndex: record.recordIndex },
  identityHash: record.identityHash,
  kycStatus: record.kycStatus,
  kycExpiresAt: record.kycExpiresAt,
  noticed: record.noticed ?? null,
  lastVerifiedAt: record.lastVerifiedAt,
  dataKeyIds: [...identity.dataKeyIds.filter((id) => id !== record.personal.key), record.personal.key],
  lastActivityAt: record.receivedAt,
  erasureProposal: null,
});

/** The state that survives from earlier lives. */
const betweenLives = ({ lastApplied, destroyedKeyIds }: Identity): Identity => ({
  ...initialState(),
  lastApplied,
  destroyedKeyIds,
});

const evolve = (identity: Identity, event: IdentityEvent): Identity => {
  switch (event.type) {
    case 'IdentityIngested.v1':
      return withRecord(betweenLives(identity), event.data);
    case 'IdentityUpdated.v1':
      return withRecord(identity, event.data);
    case 'IdentityExpiring.v1':
      return { ...identity, noticed: event.data.notice };
    case 'IdentityExpired.v1':
      return { ...identity, kycStatus: 'EXPIRED' };
    case 'IdentityDeleted.v1':
      return {
        ...identity,
        phase: 'deleted',
        deletedAt: event.data.deletedAt,
        purgeAt: event.data.purgeAt,
        erasureProposal: null,
      };
    case 'ErasureProposed.v1': {
      const { proposalId, proposedBy: by, proposedAt: at } = event.data;
      return { ...identity, erasureProposal: { proposalId, by, at } };
    }
    case 'ErasureRejected.v1':
      return { ...identity, erasureProposal: null };
    case 'IdentityRestored.v1':
      return {
        ...identity,
        phase: 'active',
        deletedAt: null,
        purgeAt: null,
        lastActivityAt: event.data.restoredAt,
        erasureProposal: null,
      };
    case 'IdentityErasureDecided.v1':
      return {
        ...identity,
        phase: 'erasing',
        identityHash: event.data.identityHash,
        dataKeyIds: event.data.dataKeyIds,
      };
    case 'IdentityErased.v1':
      return {
        ...betweenLives(identity),
        phase: 'erased',
        destroyedKeyIds: [...new Set([...identity.destroyedKeyIds, ...event.data.dataKeyIds])],
      };
    // `default` covers event types of newer versions.
    case 'IdentityVerified.v1':
    case 'IdentityFlagged.v1':
    default:
      return identity;
  }
};

export const identityDecider: Decider<Identity, IdentityCommand, IdentityEvent> = { initialState, decide, evolve };
