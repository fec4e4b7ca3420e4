import { LRUCache } from 'lru-cache';
import { Inject, Injectable } from '@nestjs/common';
import { AttestingRecords, type StandingAttestation } from '../../projections/eligibility/attesting-records.queries.js';
import { type Clock } from '../kernel/clock.js';
import { deriveUuid, type TenantId } from '../kernel/ids.js';
import { type Tier, TIERS } from '../kernel/kyc.js';
import { DataKeyMissing } from '../platform/crypto/data-keys.js';
import { eachIfPossible } from '../platform/crypto/open-if-possible.js';
import { ERASED, Vault } from '../platform/crypto/vault.js';
import { CLOCK } from '../platform/tokens.js';
import { type Described, isSamePerson } from './domain/same-person.js';

/** The person of a requested credential. E-mail is normalised. */
export interface CredentialSubject extends Described {
  readonly email: string;
  readonly phone: string;
  readonly tier: Tier;
  /** Of e-mail and phone. */
  readonly identityHash: string;
}

/** What the network says of a person who it attests. */
export interface Attested {
  /** When the attestation ends; null if it does not. */
  readonly until: Date | null;
  /** When a member verified the person last; null if none says. */
  readonly verifiedAt: Date | null;
  /** Whether a record has the date of birth that was asked for. */
  readonly birthDateKnown: boolean;
  /** The accounts whose records agree. */
  readonly attestors: readonly TenantId[];
}

export type Eligibility = { readonly eligible: false } | ({ readonly eligible: true } & Attested);

/** Namespace of ids that no data key has. */
const NO_KEYS = '0d4f6f4e-5f0b-4c39-9b60-2d2d9c3f8a57';
const REMEMBERED = 20_000;

const suffices = (attested: Tier, requiredTier: Tier): boolean =>
  TIERS.indexOf(attested) >= TIERS.indexOf(requiredTier);

const later = (one: Date | null, other: Date | null): Date | null =>
  one === null || other === null ? null : one > other ? one : other;

const latest = (dates: readonly (Date | null)[]): Date | null =>
  dates.reduce((one, other) => (one === null || (other !== null && other > one) ? other : one), null);

/** Whether the network attests a person: some tenant's record, approved at the tier or above, that agrees with the request. */
@Injectable()
export class Attestations {
  /** As long as a record's key is remembered, it is not looked for again. */
  private readonly sought = new LRUCache<string, true>({ max: REMEMBERED });

  constructor(
    private readonly records: AttestingRecords,
    private readonly vault: Vault,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Throws Unavailable. */
  async judge({ identityHash, ...claimedPerson }: CredentialSubject): Promise<Eligibility> {
    const candidates = await this.candidates(identityHash, claimedPerson.tier);
    const agreeing = await eachIfPossible(candidates, (attestation) => this.agreeing(attestation, claimedPerson));
    if (candidates.length === 0) await this.seekKey(identityHash);
    if (agreeing.length === 0) return { eligible: false };
    return {
      eligible: true,
      until: agreeing.map(({ kycExpiresAt }) => kycExpiresAt).reduce(later),
      verifiedAt: latest(agreeing.map(({ lastVerifiedAt }) => lastVerifiedAt)),
      birthDateKnown: agreeing.some(({ birthDateKnown }) => birthDateKnown),
      attestors: agreeing.map(({ tenantId }) => tenantId),
    };
  }

  /** Whether an account attests the person of a credential, which names no date of birth. Throws Unavailable. */
  async support(identityHash: string, tier: Tier, fullName: string): Promise<boolean> {
    const candidates = await this.candidates(identityHash, tier);
    const supporting = await eachIfPossible(candidates, async (attestation) => {
      const record = await this.recordOf(attestation);
      return record !== undefined && isSamePerson({ fullName: record.fullName }, { fullName }) ? record : undefined;
    });
    return supporting.length > 0;
  }

  private async candidates(identityHash: string, tier: Tier): Promise<readonly StandingAttestation[]> {
    const standing = await this.records.standing(identityHash, this.clock.now());
    return standing.filter((attestation) => suffices(attestation.tier, tier));
  }

  /** Looks for a key as a record's is looked for, so that the time of a refusal does not reveal whether an account attests the person. */
  private async seekKey(identityHash: string): Promise<void> {
    if (this.sought.has(identityHash)) return;
    const key = deriveUuid(NO_KEYS, identityHash);
    try {
      const nothing = { v: 1, alg: 'A256GCM', key, iv: '', ct: '' } as const;
      await this.vault.open({ tenantId: '', stream: '', eventId: key, field: 'personal' }, nothing);
    } catch (error) {
      if (!(error instanceof DataKeyMissing)) throw error;
    }
    this.sought.set(identityHash, true);
  }

  /** Undefined if the record is of another person, or was erased. */
  private async agreeing(attestation: StandingAttestation, person: Described) {
    const record = await this.recordOf(attestation);
    if (record === undefined || !isSamePerson(record, person)) return undefined;
    return { ...attestation, birthDateKnown: record.dateOfBirth !== undefined };
  }

  /** Undefined if the person was erased. */
  private async recordOf(attestation: StandingAttestation): Promise<Described | undefined> {
    const { tenantId, stream, eventId, personal } = attestation;
    const opened = await this.vault.open({ tenantId, stream, eventId, field: 'personal' }, personal);
    if (opened === ERASED) return undefined;
    const { full_name: fullName, date_of_birth: dateOfBirth } = opened as {
      readonly full_name: string;
      readonly date_of_birth?: string;
    };
    return { fullName, dateOfBirth };
  }
}
