import { LRUCache } from 'lru-cache';
import { Inject, Injectable } from '@nestjs/common';
import { hkdfSync, randomBytes } from 'node:crypto';
import { type Clock } from '../../kernel/clock.js';
import { type TenantId } from '../../kernel/ids.js';
import { decrypt, encrypt, NONCE_BYTES } from '../../platform/crypto/cipher.js';
import { tokenHashOf } from '../../http/console/console-request.js';
import { type Role } from '../../http/request-context.js';
import { Periodic } from '../../platform/periodic/periodic.js';
import { Database } from '../../platform/postgres/database.js';
import { CLOCK } from '../../platform/tokens.js';

/** Milliseconds without a request after which a session ends. */
const IDLE_MS = 30 * 60_000;
/** Milliseconds after which a session ends, however busy. */
export const MAX_MS = 8 * 3_600_000;
/** Least milliseconds between two writes of `seen_at`. */
const TOUCH_INTERVAL_MS = 60_000;
const MAX_KNOWN = 10_000;
const PURGE_EVERY_MS = 300_000;
const PLACE = 'v1\0console session';
const COLUMNS = 'token_hash, principal, is_demo, began_at, seen_at';

export interface MemberSession {
  readonly kind: 'member';
  readonly tenantId: TenantId;
  readonly memberId: string;
  /** Of the passkey, whose end ends the session. Absent after the provider's sign-in. */
  readonly credentialId?: string;
  /** ISO 8601: when the provider's token ends. Absent after a passkey. */
  readonly until?: string;
}

/** Who signed in. The rights are those of the key, or of the member's role, at each request. */
export type SessionPrincipal =
  | { readonly kind: 'tenant'; readonly tenantId: TenantId; readonly keyId: string }
  | MemberSession
  | {
      readonly kind: 'operator';
      readonly subject: string;
      readonly roles: readonly Role[];
      /** ISO 8601: when the token ends that granted the roles. Absent for the demo account's operator. */
      readonly until?: string;
    };

export interface Session {
  readonly principal: SessionPrincipal;
  readonly isDemo: boolean;
}

interface Row {
  readonly principal: Buffer;
  readonly is_demo: boolean;
  readonly seen_at: Date;
}

const hasEnded = (principal: SessionPrincipal, now: Date): boolean =>
  principal.kind !== 'tenant' && principal.until !== undefined && new Date(principal.until) <= now;

/** Only who has the cookie can know who is signed in: a provider's subject may be an e-mail address. */
const keyOf = (token: string): Buffer => Buffer.from(hkdfSync('sha256', token, '', PLACE, 32));

const sealed = (token: string, principal: SessionPrincipal): Buffer => {
  const { nonce, ciphertext } = encrypt(keyOf(token), PLACE, JSON.stringify(principal));
  return Buffer.concat([nonce, ciphertext]);
};

const opened = (token: string, bytes: Buffer): SessionPrincipal => {
  const parts = { nonce: bytes.subarray(0, NONCE_BYTES), ciphertext: bytes.subarray(NONCE_BYTES) };
  return JSON.parse(decrypt(keyOf(token), PLACE, parts).toString('utf8')) as SessionPrincipal;
};

/** Sessions of the console. An end holds at once on every instance. Everything throws Unavailable if Postgres does not respond. */
@Injectable()
export class ConsoleSessions {
  private readonly known = new LRUCache<string, true>({ max: MAX_KNOWN });

  constructor(
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** A new session always has a new token, so that none can be planted before signing in. */
  async begin(session: Session): Promise<string> {
    const now = this.clock.now();
    const { token, values } = this.rowOf(session, now);
    await this.database.query(`INSERT INTO console_sessions (${COLUMNS}) VALUES ($1, $2, $3, $4, $4)`, values);
    return token;
  }

  /** Ends one session and begins another in its place. Undefined, and nothing begun, where the former is over already. */
  async replace(former: string, session: Session): Promise<string | undefined> {
    const { token, values } = this.rowOf(session, this.clock.now());
    const begun = await this.database.query(
      `WITH ended AS (DELETE FROM console_sessions WHERE token_hash = $5 RETURNING 1)
       INSERT INTO console_sessions (${COLUMNS}) SELECT $1, $2::bytea, $3::boolean, $4::timestamptz, $4::timestamptz FROM ended RETURNING 1`,
      [...values, tokenHashOf(former)],
    );
    this.known.delete(former);
    return begun.length === 0 ? undefined : token;
  }

  /** Whether this process has met the session, which may have ended since. */
  knows(token: string): boolean {
    return this.known.has(token);
  }

  /** Undefined where it has ended, or never was. `isUse`: it lasts for as long as it is used. */
  async find(token: string, isUse = true): Promise<Session | undefined> {
    const session = await this.read(token, isUse);
    this.known.delete(token);
    if (session !== undefined) this.known.set(token, true);
    return session;
  }

  async end(token: string): Promise<void> {
    this.known.delete(token);
    await this.database.query('DELETE FROM console_sessions WHERE token_hash = $1', [tokenHashOf(token)]);
  }

  private rowOf({ principal, isDemo }: Session, now: Date): { readonly token: string; readonly values: unknown[] } {
    const token = randomBytes(32).toString('base64url');
    return { token, values: [tokenHashOf(token), sealed(token, principal), isDemo, now] };
  }

  /** Who has left leaves no row behind. */
  @Periodic({ every: PURGE_EVERY_MS, role: 'jobs', alone: true })
  async purge(): Promise<void> {
    const limits = this.limits(this.clock.now());
    await this.database.query('DELETE FROM console_sessions WHERE seen_at < $1 OR began_at < $2', limits);
  }

  private async read(token: string, isUse: boolean): Promise<Session | undefined> {
    const now = this.clock.now();
    const tokenHash = tokenHashOf(token);
    const [row] = await this.database.query<Row>(
      `SELECT principal, is_demo, seen_at FROM console_sessions WHERE token_hash = $1 AND seen_at >= $2 AND began_at >= $3`,
      [tokenHash, ...this.limits(now)],
      'console-session',
    );
    const principal = row && opened(token, row.principal);
    if (row === undefined || principal === undefined || hasEnded(principal, now)) return undefined;
    if (isUse && now.getTime() - row.seen_at.getTime() > TOUCH_INTERVAL_MS)
      await this.database.query('UPDATE console_sessions SET seen_at = $2 WHERE token_hash = $1', [tokenHash, now]);
    return { principal, isDemo: row.is_demo };
  }

  private limits(now: Date): readonly [Date, Date] {
    return [new Date(now.getTime() - IDLE_MS), new Date(now.getTime() - MAX_MS)];
  }
}
