import { Inject, Injectable } from '@nestjs/common';
import {
  type AuthenticationResponseJSON,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { isMemberId } from '../../kernel/audit-actors.js';
import { type Clock } from '../../kernel/clock.js';
import { isTenantId, type TenantId } from '../../kernel/ids.js';
import { refuse, type Rejection } from '../../kernel/rejection.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { describeError, LOGGER, type Logger } from '../../observability/logging.js';
import { type Config } from '../../platform/config/config.js';
import { Periodic } from '../../platform/periodic/periodic.js';
import { Database } from '../../platform/postgres/database.js';
import { CLOCK, CONFIG } from '../../platform/tokens.js';
import { AccountDirectory } from '../account-directory.js';
import { type Member } from '../domain/members.js';
import { type NewPasskey } from '../domain/member.events.js';
import { consoleUrl } from '../members/invitations.js';

/** How long a challenge may be answered. */
const CHALLENGE_MS = 300_000;
const PURGE_EVERY_MS = 3_600_000;
const SIGN_IN = 'sign-in';
/** Of WebAuthn. What a browser says beyond them is not kept. */
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;
const PARTY = 'KYC attestations';

export interface PasskeyOwner {
  readonly tenantId: TenantId;
  readonly memberId: string;
}

const purposeOf = ({ tenantId, memberId }: PasskeyOwner): string => `${tenantId}/${memberId}`;

/** Longest handle that is looked at: ours have some 80 characters. */
const MAX_HANDLE = 200;

/** An authenticator keeps whose passkey it is: an account and a member, no name. */
const ownerIn = (handle: unknown): PasskeyOwner | undefined => {
  if (typeof handle !== 'string' || handle.length > MAX_HANDLE) return undefined;
  const [tenantId = '', memberId = ''] = Buffer.from(handle, 'base64url').toString('latin1').split('/');
  return isTenantId(tenantId) && isMemberId(memberId) ? { tenantId, memberId } : undefined;
};

const notAccepted = (): Rejection => refuse('invalid_token', { detail: 'The passkey was not accepted: try again' });

/** Passkeys of members (WebAuthn Level 3). Each challenge is taken once, on any instance. Everything throws Unavailable. */
@Injectable()
export class Passkeys {
  constructor(
    private readonly database: Database,
    private readonly directory: AccountDirectory,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** What a browser needs to make a passkey. `name`: what it shows; it does not leave the browser. */
  async creationOptions(
    owner: PasskeyOwner,
    name: string,
    { passkeys }: Pick<Member, 'passkeys'>,
  ): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const { generateRegistrationOptions } = await import('@simplewebauthn/server');
    const options = await generateRegistrationOptions({
      rpName: PARTY,
      rpID: this.party.id,
      userName: name,
      userID: new Uint8Array(Buffer.from(purposeOf(owner))),
      attestationType: 'none',
      excludeCredentials: passkeys.map(({ credentialId: id, transports }) => ({
        id,
        transports: [...transports] as never,
      })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    await this.keep(options.challenge, purposeOf(owner));
    return options;
  }

  /** The passkey that a browser made for this member. Throws invalid_token. */
  async created(owner: PasskeyOwner, response: object): Promise<NewPasskey> {
    const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
    const { verified, registrationInfo } = await this.judged(
      verifyRegistrationResponse({
        response: response as RegistrationResponseJSON,
        expectedChallenge: (challenge) => this.take(challenge, purposeOf(owner)),
        expectedOrigin: this.party.origin,
        expectedRPID: this.party.id,
      }),
    );
    if (!verified) throw notAccepted();
    const { id, publicKey, counter, transports } = registrationInfo.credential;
    const known = TRANSPORTS.filter((each) => Array.isArray(transports) && transports.includes(each));
    return { credentialId: id, publicKey: Buffer.from(publicKey).toString('base64url'), counter, transports: known };
  }

  async requestOptions(): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
    const options = await generateAuthenticationOptions({ rpID: this.party.id, userVerification: 'required' });
    await this.keep(options.challenge, SIGN_IN);
    return options;
  }

  /** Who signs in. Throws invalid_token, also for a member who was removed and for a copied authenticator. */
  async signedIn(answer: object): Promise<PasskeyOwner & { readonly credentialId: string }> {
    const { id: credentialId, response: signed } = answer as { id?: string; response?: { userHandle?: unknown } };
    const owner = ownerIn(signed?.userHandle);
    const passkey = owner && (await this.passkeyOf(owner, credentialId ?? ''));
    if (owner === undefined || passkey === undefined) throw notAccepted();
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
    const { credentialId: id, publicKey } = passkey;
    const { verified, authenticationInfo } = await this.judged(
      verifyAuthenticationResponse({
        response: answer as AuthenticationResponseJSON,
        expectedChallenge: (challenge) => this.take(challenge, SIGN_IN),
        expectedOrigin: this.party.origin,
        expectedRPID: this.party.id,
        credential: {
          id,
          publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')),
          counter: await this.counterOf(owner, passkey),
        },
      }),
    );
    if (!verified || !(await this.advance(owner, id, authenticationInfo.newCounter))) throw notAccepted();
    return { ...owner, credentialId: id };
  }

  @Periodic({ every: PURGE_EVERY_MS, role: 'jobs', alone: true })
  async purge(): Promise<void> {
    await this.database.query('DELETE FROM passkey_challenges WHERE expires_at < $1', [this.clock.now()]);
  }

  /** The site of WebAuthn: browsers ask for a passkey of this site on its own pages alone. */
  private get party(): { readonly id: string; readonly origin: string } {
    const { hostname, origin } = new URL(consoleUrl(this.config));
    return { id: hostname, origin };
  }

  private async passkeyOf({ tenantId, memberId }: PasskeyOwner, credentialId: string): Promise<NewPasskey | undefined> {
    const member = (await this.directory.find(tenantId))?.account.members.get(memberId);
    return member?.passkeys.find((passkey) => passkey.credentialId === credentialId);
  }

  private async keep(challenge: string, purpose: string): Promise<void> {
    const expires = new Date(this.clock.now().getTime() + CHALLENGE_MS);
    const text = 'INSERT INTO passkey_challenges (challenge, purpose, expires_at) VALUES ($1, $2, $3)';
    await this.database.query(text, [challenge, purpose, expires]);
  }

  private async take(challenge: string, purpose: string): Promise<boolean> {
    const taken = await this.database.query(
      'DELETE FROM passkey_challenges WHERE challenge = $1 AND purpose = $2 AND expires_at > $3 RETURNING 1',
      [challenge, purpose, this.clock.now()],
    );
    return taken.length > 0;
  }

  private async counterOf(
    { tenantId, memberId }: PasskeyOwner,
    { credentialId, counter }: NewPasskey,
  ): Promise<number> {
    const [row] = await this.database.query<{ readonly counter: string }>(
      'SELECT counter FROM passkey_counters WHERE tenant_id = $1 AND member_id = $2 AND credential_id = $3',
      [tenantId, memberId, credentialId],
    );
    return Math.max(counter, Number(row?.counter ?? 0));
  }

  /** False where another sign-in was faster with a counter as high. Authenticators that count nothing stay at 0. */
  private async advance({ tenantId, memberId }: PasskeyOwner, credentialId: string, counter: number): Promise<boolean> {
    const advanced = await this.database.query(
      `INSERT INTO passkey_counters (tenant_id, member_id, credential_id, counter, used_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (tenant_id, member_id, credential_id) DO UPDATE
       SET counter = excluded.counter, used_at = excluded.used_at
       WHERE passkey_counters.counter < excluded.counter OR excluded.counter = 0 RETURNING 1`,
      [tenantId, memberId, credentialId, counter, this.clock.now()],
    );
    return advanced.length > 0;
  }

  /** The library throws for each way in which an answer is wrong. */
  private async judged<Verified>(verified: Promise<Verified>): Promise<Verified> {
    try {
      return await verified;
    } catch (error) {
      if (error instanceof Unavailable) throw error;
      this.logger.warn({ error: describeError(error) }, 'a passkey was not accepted');
      throw notAccepted();
    }
  }
}
