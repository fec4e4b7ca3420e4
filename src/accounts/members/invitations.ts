import { Inject, Injectable } from '@nestjs/common';
import { timingSafeEqual } from 'node:crypto';
import { isMemberId } from '../../kernel/audit-actors.js';
import { type Clock } from '../../kernel/clock.js';
import { isTenantId, isUuid, type TenantId } from '../../kernel/ids.js';
import { refuse } from '../../kernel/rejection.js';
import { type Config } from '../../platform/config/config.js';
import { KeyedHashes } from '../../platform/crypto/vault.js';
import { CLOCK, CONFIG } from '../../platform/tokens.js';
import { AccountDirectory } from '../account-directory.js';
import { type AccountRecord } from '../domain/account-record.js';
import { INVITATION_ENDED, type Member } from '../domain/members.js';

const LASTS_MS = 7 * 86_400_000;

interface Invited {
  readonly record: AccountRecord;
  readonly member: Member;
  readonly invitationId: string;
}

const refuseEnded = (): Error => refuse('invalid_token', { detail: INVITATION_ENDED });

/** Links that let a person join an account. A link is signed, so that no store holds what would let a reader in. */
@Injectable()
export class Invitations {
  constructor(
    private readonly directory: AccountDirectory,
    private readonly hashes: KeyedHashes,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** When an invitation of now ends. Refused where no one could take it. */
  expiry(): string {
    if (this.config.publicUrl === undefined && this.config.environment === 'production')
      throw refuse('account_state_conflict', {
        detail: 'The deployment sets no PUBLIC_URL, so a link would lead nowhere.',
      });
    return new Date(this.clock.now().getTime() + LASTS_MS).toISOString();
  }

  /** The link that the member may take now. Null: there is none. */
  linkOf({ tenantId, account }: AccountRecord, memberId: string): string | null {
    const invitation = account.members.get(memberId)?.invitation ?? null;
    if (invitation === null) return null;
    const text = `${tenantId}.${memberId}.${invitation.invitationId}`;
    return `${consoleUrl(this.config)}#i=${text}.${this.signature(text).toString('base64url')}`;
  }

  /** Throws invalid_token where the link is none, was taken or replaced, or has expired. */
  async find(token: string): Promise<Invited> {
    const [tenantId = '', memberId = '', invitationId = '', signature = ''] = token.split('.');
    const given = Buffer.from(signature, 'base64url');
    const signed = this.signature(`${tenantId}.${memberId}.${invitationId}`);
    if (given.length !== signed.length || !timingSafeEqual(given, signed)) throw refuseEnded();
    if (!isTenantId(tenantId) || !isMemberId(memberId) || !isUuid(invitationId)) throw refuseEnded();
    const { record, member } = await this.memberOf(tenantId, memberId);
    const { invitation } = member;
    const isOpen = invitation?.invitationId === invitationId && this.clock.now().toISOString() < invitation.expiresAt;
    if (!isOpen) throw refuseEnded();
    return { record, member, invitationId };
  }

  private async memberOf(tenantId: TenantId, memberId: string): Promise<Pick<Invited, 'record' | 'member'>> {
    const record = await this.directory.find(tenantId);
    const member = record?.account.members.get(memberId);
    if (record === undefined || member === undefined || member.status === 'removed') throw refuseEnded();
    if (record.account.status !== 'active') throw refuse('account_disabled');
    return { record, member };
  }

  private signature(text: string): Buffer {
    return this.hashes.link(`invitation\0${text}`);
  }
}

/** Where a browser finds the console. Passkeys need a name: a browser makes none for an IP address. */
export const consoleUrl = ({ publicUrl, port, tls }: Pick<Config, 'publicUrl' | 'port' | 'tls'>): string =>
  `${publicUrl ?? `${tls === undefined ? 'http' : 'https'}://localhost:${port}`}/console`;
