import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Clock } from '../../kernel/clock.js';
import { tenantMetadata } from '../../kernel/events.js';
import { invariant } from '../../kernel/invariant.js';
import { KeyedHashes } from '../../platform/crypto/vault.js';
import { type Config } from '../../platform/config/config.js';
import { CLOCK, CONFIG } from '../../platform/tokens.js';
import { CredentialRepository } from '../credential-repository.js';
import { type CredentialOffered } from '../domain/offer.events.js';
import { IssuanceJudgements } from '../issuance-judgements.js';
import { OfferCredential } from './wallet.commands.js';

@CommandHandler(OfferCredential)
export class OfferCredentialHandler implements ICommandHandler<OfferCredential, CredentialOffered['data']> {
  constructor(
    private readonly judgements: IssuanceJudgements,
    private readonly credentials: CredentialRepository,
    private readonly hashes: KeyedHashes,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'timing'>,
  ) {}

  async execute({ data }: OfferCredential): Promise<CredentialOffered['data']> {
    await this.judgements.judge(data);
    const { tenantId, credentialId, asksCode, dateOfBirth, access } = data;
    const { email, phone, fullName, identityHash, tier } = data.person;
    const identityId = this.hashes.identityId(tenantId, email, phone);
    const person = { email, phone, full_name: fullName, date_of_birth: dateOfBirth };
    const now = this.clock.now();
    const offered: CredentialOffered['data'] = {
      credentialId,
      identityId,
      identityHash,
      tier,
      person: await this.credentials.sealPerson(data, identityId, person),
      asksCode,
      offeredAt: now.toISOString(),
      expiresAt: new Date(now.getTime() + this.config.timing.offerLasts).toISOString(),
    };
    const { state } = await this.credentials.offer(data, offered, tenantMetadata(access));
    invariant(state.offer !== null, 'what was offered is in the log');
    return state.offer.offered;
  }
}
