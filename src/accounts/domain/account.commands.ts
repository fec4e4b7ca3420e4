import { type AccountMetadata } from './account-metadata.commands.js';
import { type Envelope } from '../../kernel/envelope.js';
import { type TenantId } from '../../kernel/ids.js';
import { type AccountTier } from './account.events.js';
import { type MemberCommand } from './member.commands.js';
import { type OperatorActCommand } from './operator-act.commands.js';
import { type SubscriptionCommand } from './subscription.commands.js';

/**
 * Personal data or free text in a command. It is plain text from the caller, and an envelope for the decider and the
 * log.
 */
export type Text = string | Envelope;

/** A new key without its secret. Only the secret's keyed hash is known here. */
export interface NewApiKey<T extends Text> {
  readonly keyId: string;
  readonly environment: string;
  readonly name: T;
  readonly secretHash: string;
  /** Absent: all scopes of the granting key, or all scopes if an operator grants. */
  readonly scopes?: readonly string[];
  /** Absent: the granting key's expiry, or none. ISO 8601, UTC, milliseconds. */
  readonly expiresAt?: string;
  /** Absent: the granting key's cap, or none. */
  readonly creditCapPerDay?: number | null;
  /** Absent: the granting key's addresses, or all. */
  readonly allowedAddresses?: readonly string[];
}

/** Opens an account with its first key. Idempotent for the same tenant id. */
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
    readonly data: { readonly reason: T },
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

/** Whether what the account attests counts for the network. */
export class JudgeAccount<T extends Text = string> {
  readonly type = 'JudgeAccount';
  constructor(
    readonly tenantId: TenantId,
    readonly data: { readonly trusted: boolean; readonly reason: T },
    readonly metadata: AccountMetadata,
  ) {}
}

/** Absent members stay unchanged. */
export class ChangeAccount<T extends Text = string> {
  readonly type = 'ChangeAccount';
  constructor(
    readonly tenantId: TenantId,
    readonly data: {
      readonly rateLimitPerMinute?: number;
      readonly burstPerSecond?: number;
      readonly contactEmail?: T;
      readonly name?: string;
      readonly tier?: AccountTier;
      readonly alertThresholds?: readonly number[];
      readonly isNamed?: boolean;
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
      /** Id of the requesting key. Null for an operator, who may grant every scope. */
      readonly grantedBy: string | null;
    },
    readonly metadata: AccountMetadata,
  ) {}
}

/**
 * The successor takes over scopes, limits, expiry and name. The handler seals the old key's name again for the successor's
 * event.
 */
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

/** Absent members stay unchanged. */
export class LimitApiKey {
  readonly type = 'LimitApiKey';
  constructor(
    readonly tenantId: TenantId,
    readonly data: {
      readonly keyId: string;
      readonly creditCapPerDay?: number | null;
      readonly allowedAddresses?: readonly string[];
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

/** A command for the decider, with every text sealed. */
export type AccountCommand =
  | CreateAccount<Envelope>
  | SuspendAccount<Envelope>
  | ReinstateAccount<Envelope>
  | JudgeAccount<Envelope>
  | ChangeAccount<Envelope>
  | IssueApiKey<Envelope>
  | RotateApiKey<Envelope>
  | LimitApiKey
  | RevokeApiKey
  | MemberCommand
  | OperatorActCommand
  | SubscriptionCommand;
