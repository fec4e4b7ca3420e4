import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { AuditTrail } from '../../kernel/access.js';
import { AccountStandings } from '../../kernel/account-standings.js';
import { auditedChange } from '../../kernel/audited-change.js';
import { type Clock } from '../../kernel/clock.js';
import { type CommandMetadata } from '../../kernel/events.js';
import { deriveUuid } from '../../kernel/ids.js';
import { invariant } from '../../kernel/invariant.js';
import { isRejection } from '../../kernel/rejection.js';
import { CLOCK } from '../../platform/tokens.js';
import { type Attested, type CredentialSubject } from '../attestations.js';
import { CredentialRepository, type OfferedPerson } from '../credential-repository.js';
import { termOf } from '../domain/credential-claims.js';
import { type CredentialIssued } from '../domain/credential.events.js';
import { type Credential } from '../domain/credential.js';
import { type EndOffer } from '../domain/offer.commands.js';
import { type CredentialOffered } from '../domain/offer.events.js';
import { isWaiting } from '../domain/offer.js';
import { disclosedClaimsOf, termByDays } from '../domain/wallet-credential.js';
import { IssuanceJudgements } from '../issuance-judgements.js';
import { TokenMaker } from '../token-maker.js';
import { type MadeCopy, SdJwtMaker } from './sd-jwt-maker.js';
import { RedeemOffer, type Redeemed } from './wallet.commands.js';
import { WalletRefusal } from './wallet-refusal.js';

type Request = RedeemOffer['data'];

/** Namespace of the audit entries of issuances to wallets. */
const AUDIT_ENTRIES = 'f2f6a5b5-7f0b-4c8b-8f53-0b7a5be0f1c4';

const denied = (description: string): WalletRefusal => new WalletRefusal('credential_request_denied', description);
const isGone = (): WalletRefusal => new WalletRefusal('invalid_token', 'The access token is not good any more');

const subjectOf = (offered: CredentialOffered['data'], person: OfferedPerson): CredentialSubject => ({
  email: person.email,
  phone: person.phone,
  fullName: person.full_name,
  dateOfBirth: person.date_of_birth,
  tier: offered.tier,
  identityHash: offered.identityHash,
});

@CommandHandler(RedeemOffer)
export class RedeemOfferHandler implements ICommandHandler<RedeemOffer, Redeemed> {
  constructor(
    private readonly judgements: IssuanceJudgements,
    private readonly tokens: TokenMaker,
    private readonly copies: SdJwtMaker,
    private readonly credentials: CredentialRepository,
    private readonly audit: AuditTrail,
    private readonly accounts: AccountStandings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ data }: RedeemOffer): Promise<Redeemed> {
    const { state, events } = await this.credentials.load(data);
    const { offer } = state;
    const before = events.find(({ type }) => type === 'CredentialIssued.v1');
    if (before !== undefined) return this.answerAgain(data, state, before.position);
    if (offer === null || offer.accepted === null || !isWaiting(offer, this.clock.now())) throw isGone();
    const person = await this.credentials.openPerson(data, offer.offered);
    if (person === undefined) throw await this.refuse(data, 'erased');
    const subject = subjectOf(offer.offered, person);
    const attested = await this.judgements.judgeAgain(subject);
    if (attested === undefined) throw await this.refuse(data, 'not_attested');
    return this.issue(data, { offered: offer.offered, person, subject, attested });
  }

  private async issue(
    data: Request,
    offer: {
      readonly offered: CredentialOffered['data'];
      readonly person: OfferedPerson;
      readonly subject: CredentialSubject;
      readonly attested: Attested;
    },
  ): Promise<Redeemed> {
    const { offered, person, subject, attested } = offer;
    const now = this.clock.now();
    const term = termOf(now, attested.until);
    if (term === undefined) throw await this.refuse(data, 'not_attested');
    const { iat, exp } = termByDays(term.issuedAt, term.expiresAt);
    const attestedBy = await this.namesOf(attested);
    const claims = disclosedClaimsOf(person, offered.tier, { ...attested, attestedBy }, now);
    const { credentialId } = data;
    const isBound = data.format === 'dc+sd-jwt';
    const made = isBound
      ? await Promise.all(data.holders.map((holder) => this.copies.make({ claims, holder, iat, exp })))
      : [await this.tokens.make({ credentialId, person: subject, ...term })];
    const expiresAt = isBound ? new Date(exp * 1_000) : term.expiresAt;
    const issued = await this.issuanceOf(data, offered, made, { issuedAt: term.issuedAt, expiresAt });
    // The person was erased in between, and has another key now.
    if (issued.token.key !== offered.person.key) throw await this.refuse(data, 'erased');
    await this.assertAttested(data, await this.record(data, issued, now), subject);
    return this.answer(data, (await this.credentials.load(data)).state);
  }

  /** Of the attestors that agreed to be named: each once, in an order that says nothing. */
  private async namesOf({ attestors }: Attested): Promise<readonly string[]> {
    const standings = await Promise.all(attestors.map((tenantId) => this.accounts.of(tenantId)));
    const named = standings.flatMap((each) => (each?.isNamed === true && !each.suspended ? [each.name] : []));
    return [...new Set(named)].sort();
  }

  /** An attempt before may have ended between the issuance and its judgement. */
  private async answerAgain(data: Request, state: Credential, position: bigint): Promise<Redeemed> {
    const { offer } = state;
    const person = offer === null ? undefined : await this.credentials.openPerson(data, offer.offered);
    if (offer !== null && person !== undefined)
      await this.assertAttested(data, position, subjectOf(offer.offered, person));
    return this.answer(data, state);
  }

  private async assertAttested(data: Request, position: bigint, subject: CredentialSubject): Promise<void> {
    if (await this.judgements.holdsAt(position, subject)) return;
    await this.credentials.withdraw(data, this.clock.now(), metadataOf(data));
    throw denied('The person is not attested any more');
  }

  private async issuanceOf(
    data: Request,
    { credentialId, identityId, identityHash, tier }: CredentialOffered['data'],
    made: readonly MadeCopy[],
    { issuedAt, expiresAt }: { readonly issuedAt: Date; readonly expiresAt: Date },
  ): Promise<CredentialIssued['data']> {
    const [first] = made;
    invariant(first !== undefined, 'a wallet gets a copy at least');
    const holders = await thumbprintsOf(data.holders);
    return {
      credentialId,
      identityId,
      identityHash,
      tier,
      kid: first.kid,
      issuedAt: issuedAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      status: first.status,
      token: await this.credentials.sealToken(
        data,
        identityId,
        made.map(({ token }) => token),
      ),
      wallet: {
        format: data.format,
        copies: made.map(({ status }, place) => ({ holder: holders[place] ?? null, status })),
      },
    };
  }

  /** The position of the issuance in the log: of this one, or of the one that came first. It is audited before. */
  private async record(data: Request, issued: CredentialIssued['data'], now: Date): Promise<bigint> {
    const { tenantId, credentialId } = data;
    const { identityHash } = issued;
    // The issuer must not learn the holder's address.
    const access = { ...data.access, ipAddress: null, userAgent: '' };
    const entryId = deriveUuid(AUDIT_ENTRIES, credentialId);
    const entry = { entryId, tenantId, action: 'credential_issued', result: 'ok', identityHash, access } as const;
    try {
      const { position } = await auditedChange(this.audit, async (record) => {
        await record(entry);
        return this.credentials.issue(data, issued, { now, metadata: metadataOf(data) });
      });
      invariant(position !== undefined, 'what was issued is in the log');
      return position;
    } catch (error) {
      // It ended meanwhile.
      if (isRejection(error, 'offer_ended') || isRejection(error, 'timeout')) throw isGone();
      throw error;
    }
  }

  /** What is in the log, if it is for these keys. */
  private async answer(data: Request, { issued, revokedBy }: Credential): Promise<Redeemed> {
    const { wallet } = issued ?? {};
    const holders = await thumbprintsOf(data.holders);
    const copies = wallet?.copies.map(({ holder }) => holder).filter((holder) => holder !== null) ?? [];
    const isSame = wallet?.format === data.format && copies.join() === holders.join();
    if (issued === null || revokedBy !== null || !isSame)
      throw denied('The offer was redeemed for other keys, or what was issued is revoked');
    const credentials = await this.credentials.openCopies(data, issued);
    if (credentials === undefined) throw denied('The person was erased');
    return { credentials, expiresAt: new Date(issued.expiresAt) };
  }

  private async refuse(data: Request, cause: EndOffer['cause']): Promise<WalletRefusal> {
    const command = { kind: 'end_offer', cause, now: this.clock.now() } as const;
    await this.credentials.changeOffer(data, command, metadataOf(data));
    return denied('The network does not attest the person any more');
  }
}

const metadataOf = ({ access: { requestId } }: Request): CommandMetadata => ({
  requestId,
  actor: { type: 'system', id: 'wallet' },
});

const thumbprintsOf = (holders: readonly JWK[]): Promise<string[]> =>
  Promise.all(holders.map((holder) => calculateJwkThumbprint(holder)));
