import { type Envelope } from '../../kernel/envelope.js';
import { type CommandMetadata } from '../../kernel/events.js';
import { type TenantId } from '../../kernel/ids.js';
import { type AccountTier } from './account.events.js';

export interface AccountMetadata extends CommandMetadata {
  /** A UUID, the same for every attempt at one request: the ids of the command's events are derived from it. */
  readonly commandId: string;
  /** When the command was given: ISO 8601, UTC, milliseconds. */
  readonly at: string;
}

/**
 * Personal data and free text of a command: plain as it comes from the caller, an envelope as the decider and the log
 * see it.
 */
export type Text = string | Envelope;

/** A new key: everything but its secret, of which only the keyed hash is known here. */
export interface NewApiKey<T extends Text> {
  readonly keyId: string;
  readonly environment: string;
  readonly name: T;
  readonly secretHash: string;
  /** Absent: all that the granting key has, or all there are. */
  readonly scopes?: readonly string[];
  /** Absent: as long as the granting key lives, or until revoked. ISO 8601, UTC, milliseconds. */
  readonly expiresAt?: string;
}

/** Opens an account with its first key. Carried out twice with the same tenant id, it is carried out once. */
export class CreateAccount<T extends Text = string> {
  readonly type = 'CreateAccount';
  constructor(
    readonly tenantId: TenantId,
    readonly data: {
      readonly name: string;
      readonly tier: AccountTier;
      readonly environment: string;
      readonly contactEmail: T;
      readonly firstKey: NewApiKey<T>;
    },
    readonly metadata: AccountMetadata,
  ) {}
}

export class SuspendAccount<T extends Text = string> {
  readonly type = 'SuspendAccount';
  constructor(
    readonly tenantId: TenantId,
    readonly data: { readonly reason: T | null },
    readonly metadata: AccountMetadata,
  ) {}
}

export class ReinstateAccount<T extends Text = string> {
  readonly type = 'ReinstateAccount';
  constructor(
    readonly tenantId: TenantId,
    readonly data: { readonly reason: T | null },
    readonly metadata: AccountMetadata,
  ) {}
}

/** Absent members stay as they are. */
export class ChangeAccount<T extends Text = string> {
  readonly type = 'ChangeAccount';
  constructor(
    readonly tenantId: TenantId,
    readonly data: {
      readonly rateLimitPerMinute?: number;
      readonly burstPerSecond?: number;
      readonly contactEmail?: T;
      readonly alertThresholds?: readonly number[];
    },
    readonly metadata: AccountMetadata,
  ) {}
}

export class IssueApiKey<T extends Text = string> {
  readonly type = 'IssueApiKey';
  constructor(
    readonly tenantId: TenantId,
    readonly data: {
      readonly key: NewApiKey<T>;
      /** Id of the key that asks for it; null for an operator, who may grant anything. */
      readonly grantedBy: string | null;
    },
    readonly metadata: AccountMetadata,
  ) {}
}

/** The successor takes over scopes, expiry and name; the handler seals the old key's name anew for the successor's event. */
export class RotateApiKey<Name extends Envelope | null = null> {
  readonly type = 'RotateApiKey';
  constructor(
    readonly tenantId: TenantId,
    readonly data: {
      readonly keyId: string;
      readonly successor: Pick<NewApiKey<Text>, 'keyId' | 'environment' | 'secretHash'>;
      readonly name: Name;
      readonly overlapSeconds: number;
      readonly grantedBy: string | null;
    },
    readonly metadata: AccountMetadata,
  ) {}
}

export class RevokeApiKey {
  readonly type = 'RevokeApiKey';
  constructor(
    readonly tenantId: TenantId,
    readonly data: { readonly keyId: string },
    readonly metadata: AccountMetadata,
  ) {}
}

/** A command as the decider takes it: every text sealed. */
export type AccountCommand =
  | CreateAccount<Envelope>
  | SuspendAccount<Envelope>
  | ReinstateAccount<Envelope>
  | ChangeAccount<Envelope>
  | IssueApiKey<Envelope>
  | RotateApiKey<Envelope>
  | RevokeApiKey;
