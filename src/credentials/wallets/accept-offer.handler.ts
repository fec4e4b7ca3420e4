import { timingSafeEqual } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AccountStandings } from '../../kernel/account-standings.js';
import { type Clock } from '../../kernel/clock.js';
import { newUuid } from '../../kernel/ids.js';
import { isRejection } from '../../kernel/rejection.js';
import { type Config } from '../../platform/config/config.js';
import { CLOCK, CONFIG } from '../../platform/tokens.js';
import { CredentialRepository } from '../credential-repository.js';
import { isWaiting, waitsUntil } from '../domain/offer.js';
import { AcceptOffer } from './wallet.commands.js';
import { noGrant, WalletRefusal } from './wallet-refusal.js';
import { WalletSecrets } from './wallet-secrets.js';

/** How long a wallet that accepted it has to fetch the credential, as a part of the offer's time: 5 of 15 minutes. */
const ACCESS_SHARE = 1 / 3;

@CommandHandler(AcceptOffer)
export class AcceptOfferHandler implements ICommandHandler<AcceptOffer, Date> {
  constructor(
    private readonly credentials: CredentialRepository,
    private readonly secrets: WalletSecrets,
    private readonly accounts: AccountStandings,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'timing'>,
  ) {}

  async execute({ data }: AcceptOffer): Promise<Date> {
    const now = this.clock.now();
    const loaded = await this.credentials.load(data);
    const { offer } = loaded.state;
    if (offer === null || offer.accepted !== null || !isWaiting(offer, now)) throw noGrant();
    if ((await this.accounts.of(data.tenantId))?.suspended !== false) throw noGrant();
    const { asksCode } = offer.offered;
    // It does not count as a try.
    if (asksCode !== (data.code !== undefined))
      throw new WalletRefusal('invalid_request', asksCode ? 'tx_code is missing' : 'This offer asks for no tx_code');
    const attemptId = newUuid();
    const until = new Date(now.getTime() + this.config.timing.offerLasts * ACCESS_SHARE);
    const command = { kind: 'accept', attemptId, codeIsRight: this.isRight(data), until, now } as const;
    const metadata = { requestId: data.requestId, actor: { type: 'system', id: 'wallet' } } as const;
    try {
      const { state } = await this.credentials.changeOffer(data, command, metadata, { loaded });
      if (state.offer?.accepted?.attemptId === attemptId) return waitsUntil(state.offer);
    } catch (error) {
      if (!isRejection(error)) throw error;
    }
    throw noGrant();
  }

  private isRight(data: AcceptOffer['data']): boolean {
    const [given, right] = [Buffer.from(data.code ?? ''), Buffer.from(this.secrets.codeOf(data))];
    return given.length === right.length && timingSafeEqual(given, right);
  }
}
