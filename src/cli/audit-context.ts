import { type KeyObject } from 'node:crypto';
import { InvalidArgumentError } from 'commander';
import { type AuditEntries } from '../kernel/access.js';
import { type CategoryRegistry } from '../kernel/category-registry.js';
import { type TenantId, isTenantId } from '../kernel/ids.js';
import { type KeyedHashes, type Vault } from '../platform/crypto/vault.js';
import { type EventStore } from '../platform/eventstore/event-store.js';
import { dayOf, instantOf } from '../http/time.js';
import { type Database } from '../platform/postgres/database.js';
import { type Recording } from './command-line-acts.js';
import { type Output } from './output.js';

export interface AuditCommandContext extends Recording {
  readonly store: EventStore;
  readonly database: Database;
  readonly hashes: Pick<KeyedHashes, 'leafSalt' | 'identityHash'>;
  readonly vault: Vault;
  readonly categories: CategoryRegistry;
  readonly entries: AuditEntries;
  /** Aborts when the operator interrupts. */
  readonly signal: AbortSignal;
  /** For what has as many rows as the log has events. */
  readonly output: Pick<Output, 'room' | 'note'>;
  /** Verifier keys of this deployment, as text. */
  readonly verifierKeys: () => Promise<readonly string[]>;
  /** The key that signs checkpoints now. */
  readonly signingKey: () => Promise<KeyObject>;
}

/** Takes one line of output. */
export type Print = (line: string) => void;

const DAY_MS = 86_400_000;

const momentOf = (text: string, day: (midnight: Date) => Date): Date => {
  const midnight = dayOf(text);
  const moment = midnight === undefined ? instantOf(text) : day(midnight);
  if (moment === undefined)
    throw new InvalidArgumentError('It takes a date, YYYY-MM-DD, or an ISO 8601 timestamp with offset.');
  return moment;
};

/** A bare date is the beginning of its UTC day. */
export const startMoment = (text: string): Date => momentOf(text, (midnight) => midnight);

/** A bare date is a whole UTC day. */
export const endMoment = (text: string): Date => momentOf(text, (midnight) => new Date(midnight.getTime() + DAY_MS));

export const tenantId = (text: string): TenantId => {
  if (isTenantId(text)) return text;
  throw new InvalidArgumentError('It takes the id of an account: t and 26 characters.');
};

export const identityId = (text: string): string => {
  if (/^idn_[0-9a-f]{32}$/.test(text)) return text;
  throw new InvalidArgumentError('It takes the id of an identity: idn_ and 32 hexadecimal digits.');
};

/** A UUID; `urn:uuid:` before it is taken off. */
export const credentialId = (text: string): string => {
  const [, id] = /^(?:urn:uuid:)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(text) ?? [];
  if (id === undefined) throw new InvalidArgumentError('It takes the jti of a credential: urn:uuid: and a UUID.');
  return id;
};
