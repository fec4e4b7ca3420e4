import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EligibilityQueries } from '../../projections/eligibility/eligibility.queries.js';
import { type Decided } from '../log/append/aggregates.js';
import { type Clock } from '../kernel/clock.js';
import { tenantMetadata } from '../kernel/events.js';
import { invariant } from '../kernel/invariant.js';
import { refuse } from '../kernel/rejection.js';
import { Unavailable } from '../kernel/unavailable.js';
import { KeyedMutex } from '../kernel/keyed-mutex.js';
import { type Config } from '../platform/config/config.js';
import { signJwt } from '../platform/crypto/signing-keys.js';
import { KeyedHashes } from '../platform/crypto/vault.js';
import { CLOCK, CONFIG } from '../platform/tokens.js';
import { Attestations } from './attestations.js';
import { IssueCredential, type IssuedCredential } from './commands.js';
import { CredentialRepository } from './credential-repository.js';
import { claimsOf, keyUrlOf, termOf } from './domain/credential-claims.js';
import { type CredentialEvent, type CredentialIssued } from './domain/credential.events.js';
import { type Credential } from './domain/credential.js';
import { IssuerIdentity } from './issuer.js';
import { IssuerKeys } from './issuer-keys.js';
import { RefusedIssuances } from './refused-issuances.js';
import { StatusIndexes } from './status-indexes.js';
import { tooManyRefusals } from './too-many-refusals.js';

type Request = IssueCredential['data'];

interface Recorded {
  readonly issued: CredentialIssued['data'];
  /** Of the log. */
  readonly position: bigint;
}

/** How long an answer waits for the index to reach the issuance, milliseconds. */
const INDEX_BUDGET_MS = 5_000;

@CommandHandler(IssueCredential)
export class IssueCredentialHandler implements ICommandHandler<IssueCredential, IssuedCredential> {
  /** Requests about one person are judged one after the other. So those that run together cannot pass the limit of refusals. */
  private readonly judging = new KeyedMutex();

  constructor(
    private readonly attestations: Attestations,
    private readonly index: EligibilityQueries,
    private readonly refused: RefusedIssuances,
    private readonly issuer: IssuerIdentity,
    private readonly keys: IssuerKeys,
    private readonly indexes: StatusIndexes,
    private readonly credentials: CredentialRepository,
    private readonly hashes: KeyedHashes,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async execute({ data }: IssueCredential): Promise<IssuedCredential> {
    const isOpen = this.config.issuancePolicy === 'open';
    const until = isOpen ? null : await this.attestedUntil(data);
    const { issued, position } = await this.issue(data, until);
    const [answer] = await Promise.all([this.answer(data, issued), isOpen || this.assertAttested(data, position)]);
    return answer;
  }

  /**
   * The attestation may have ended between the judgement and the append, so it is judged again at the place of the issuance. An
   * outage gives the credits back, which undoes the issuance too.
   */
  private async assertAttested(data: Request, position: bigint): Promise<void> {
    if (!(await this.index.reaches(position, INDEX_BUDGET_MS))) throw new Unavailable('read_models');
    if ((await this.attestations.judge(data.person)).eligible) return;
    await this.credentials.withdraw(data, this.clock.now(), tenantMetadata(data.access));
    throw refuse('identity_not_eligible');
  }

  /** When the attestation ends; null if it does not. */
  private attestedUntil({ tenantId, credentialId, person, notedRefusals }: Request): Promise<Date | null> {
    const subject = { tenantId, identityHash: person.identityHash };
    return this.judging.take(`${tenantId} ${subject.identityHash}`, async () => {
      // In its turn nothing refuses this person between the two.
      const [eligibility, wait] = await Promise.all([
        this.attestations.judge(person),
        this.refused.noted === notedRefusals ? undefined : this.refused.waitUntil(subject),
      ]);
      const now = this.clock.now();
      if (wait !== undefined) throw tooManyRefusals(wait, now);
      if (eligibility.eligible) return eligibility.until;
      await this.refused.add(subject, credentialId, now);
      throw refuse('identity_not_eligible');
    });
  }

  private async issue(data: Request, attestedUntil: Date | null): Promise<Recorded> {
    const { tenantId, credentialId, person } = data;
    const { fullName, tier, phone, email, identityHash } = person;
    const term = termOf(this.clock.now(), attestedUntil);
    if (term === undefined) throw refuse('identity_not_eligible');
    const [issuer, signer, status] = await Promise.all([
      this.issuer.establish(),
      this.keys.signer(),
      this.indexes.take(),
    ]);
    const phoneHash = this.hashes.phone(phone);
    const claims = claimsOf({ credentialId, ...issuer, phoneHash, fullName, tier, phone, ...term, status });
    const identityId = this.hashes.identityId(tenantId, email, phone);
    const kid = keyUrlOf(issuer.issuer, signer.kid);
    const token = await this.credentials.sealToken(data, identityId, await signJwt({ ...signer, kid }, { ...claims }));
    const issued: CredentialIssued['data'] = {
      credentialId,
      identityId,
      identityHash,
      tier,
      kid: signer.kid,
      issuedAt: term.issuedAt.toISOString(),
      expiresAt: term.expiresAt.toISOString(),
      status,
      token,
    };
    return recorded(await this.credentials.issue(data, issued, tenantMetadata(data.access)));
  }

  private async answer(data: Request, issued: CredentialIssued['data']): Promise<IssuedCredential> {
    const token = await this.credentials.openToken(data, issued);
    const key = await this.keys.find(issued.kid);
    // The person was erased meanwhile.
    if (token === undefined) throw refuse('identity_not_eligible');
    invariant(key !== undefined, 'a key that signed a credential is kept');
    return { credentialId: issued.credentialId, token, publicKey: key.pem, expiresAt: issued.expiresAt };
  }
}

const recorded = ({ state: { issued }, position }: Decided<Credential, CredentialEvent>): Recorded => {
  invariant(issued !== null && position !== undefined, 'what was issued is in the log');
  return { issued, position };
};
