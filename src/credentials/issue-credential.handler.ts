import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Decided } from '../log/append/aggregates.js';
import { type Clock } from '../kernel/clock.js';
import { tenantMetadata } from '../kernel/events.js';
import { invariant } from '../kernel/invariant.js';
import { refuse } from '../kernel/rejection.js';
import { KeyedHashes } from '../platform/crypto/vault.js';
import { CLOCK } from '../platform/tokens.js';
import { IssueCredential, type IssuedCredential } from './commands.js';
import { CredentialRepository } from './credential-repository.js';
import { termOf } from './domain/credential-claims.js';
import { type CredentialEvent, type CredentialIssued } from './domain/credential.events.js';
import { type Credential } from './domain/credential.js';
import { IssuanceJudgements } from './issuance-judgements.js';
import { IssuerKeys } from './issuer-keys.js';
import { TokenMaker } from './token-maker.js';

type Request = IssueCredential['data'];

interface Recorded {
  readonly issued: CredentialIssued['data'];
  /** Of the log. */
  readonly position: bigint;
}

@CommandHandler(IssueCredential)
export class IssueCredentialHandler implements ICommandHandler<IssueCredential, IssuedCredential> {
  constructor(
    private readonly judgements: IssuanceJudgements,
    private readonly tokens: TokenMaker,
    private readonly keys: IssuerKeys,
    private readonly credentials: CredentialRepository,
    private readonly hashes: KeyedHashes,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ data }: IssueCredential): Promise<IssuedCredential> {
    const { until } = await this.judgements.judge(data);
    const { issued, position } = await this.issue(data, until);
    const [answer] = await Promise.all([this.answer(data, issued), this.assertAttested(data, position)]);
    return answer;
  }

  /** An outage gives the credits back, which undoes the issuance too. */
  private async assertAttested(data: Request, position: bigint): Promise<void> {
    if (await this.judgements.holdsAt(position, data.person)) return;
    await this.credentials.withdraw(data, this.clock.now(), tenantMetadata(data.access));
    throw refuse('identity_not_eligible');
  }

  private async issue(data: Request, attestedUntil: Date | null): Promise<Recorded> {
    const { tenantId, credentialId, person } = data;
    const { tier, phone, email, identityHash } = person;
    const now = this.clock.now();
    const term = termOf(now, attestedUntil);
    if (term === undefined) throw refuse('identity_not_eligible');
    const { token, kid, status } = await this.tokens.make({ credentialId, person, ...term });
    const identityId = this.hashes.identityId(tenantId, email, phone);
    const issued: CredentialIssued['data'] = {
      credentialId,
      identityId,
      identityHash,
      tier,
      kid,
      issuedAt: term.issuedAt.toISOString(),
      expiresAt: term.expiresAt.toISOString(),
      status,
      token: await this.credentials.sealToken(data, identityId, token),
    };
    return recorded(await this.credentials.issue(data, issued, { now, metadata: tenantMetadata(data.access) }));
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
