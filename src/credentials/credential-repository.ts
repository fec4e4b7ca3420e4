import { Injectable } from '@nestjs/common';
import { type CommandMetadata } from '../kernel/events.js';
import { type TenantId } from '../kernel/ids.js';
import { ERASED, Vault } from '../platform/crypto/vault.js';
import { AggregateStore } from '../log/append/aggregate-store.js';
import { type Aggregates, type Decided, type DecideOptions, type Loaded } from '../log/append/aggregates.js';
import { credentialCategory } from './domain/credential.category.js';
import { type CredentialChange, type CredentialCommand, type NotifyOfExpiry } from './domain/credential.commands.js';
import {
  type CredentialEvent,
  type CredentialIssued,
  credentialStream,
  TOKEN_FIELD,
} from './domain/credential.events.js';
import { type Credential } from './domain/credential.js';

export interface CredentialTarget {
  readonly tenantId: TenantId;
  readonly credentialId: string;
}

type Options = Omit<DecideOptions<Credential, CredentialEvent>, 'metadata'>;

const streamOf = ({ tenantId, credentialId }: CredentialTarget): string => credentialStream(tenantId, credentialId);

/** The name of the encrypted field of a change. */
const REASON_FIELD = 'reason';

/** Reads and writes the credential streams. A credential's id is the id of its first event. */
@Injectable()
export class CredentialRepository {
  private readonly credentials: Aggregates<Credential, CredentialCommand, CredentialEvent>;

  constructor(
    aggregates: AggregateStore,
    private readonly vault: Vault,
  ) {
    this.credentials = aggregates.of(credentialCategory);
  }

  load(target: CredentialTarget): Promise<Loaded<Credential, CredentialEvent>> {
    return this.credentials.load(streamOf(target));
  }

  /** Records the issuance, or finds an earlier attempt's. Returns what is in the log, and where. */
  async issue(
    target: CredentialTarget,
    issued: CredentialIssued['data'],
    metadata: CommandMetadata,
  ): Promise<Decided<Credential, CredentialEvent>> {
    const stream = streamOf(target);
    const { credentialId: firstEventId } = target;
    const options = { metadata, firstEventId, loaded: this.credentials.unread(stream) };
    return this.credentials.execute(stream, { kind: 'issue', issued }, options);
  }

  /** Undoes an issuance whose credits went back, or forestalls it. May be repeated. */
  async withdraw(target: CredentialTarget, now: Date, metadata: CommandMetadata): Promise<void> {
    const { credentialId } = target;
    await this.credentials.execute(streamOf(target), { kind: 'withdraw', credentialId, now }, { metadata });
  }

  change(
    target: CredentialTarget,
    command: CredentialChange,
    metadata: CommandMetadata,
    options: Options = {},
  ): Promise<Decided<Credential, CredentialEvent>> {
    return this.credentials.execute(streamOf(target), command, { ...options, metadata });
  }

  /** Notifies the issuer that it will expire, where the notice is due. May be repeated. */
  async notify(target: CredentialTarget, command: NotifyOfExpiry, metadata: CommandMetadata): Promise<void> {
    await this.credentials.execute(streamOf(target), command, { metadata });
  }

  /** Seals a token for the credential's first event, under the person's key. */
  async sealToken(
    target: CredentialTarget,
    identityId: string,
    token: string,
  ): Promise<CredentialIssued['data']['token']> {
    const key = await this.vault.subjectKey(target.tenantId, identityId);
    return this.vault.seal(key, placeOf(target, target.credentialId, TOKEN_FIELD), token);
  }

  /** Undefined if the person's key was destroyed. */
  async openToken(
    target: CredentialTarget,
    { token }: Pick<CredentialIssued['data'], 'token'>,
  ): Promise<string | undefined> {
    const opened = await this.vault.open(placeOf(target, target.credentialId, TOKEN_FIELD), token);
    return opened === ERASED ? undefined : (opened as string);
  }

  /**
   * Seals the reason for a change's event, under the key of the token, since it may be about the person. Null once that key is
   * destroyed: another one of the same person would outlast the erasure.
   */
  async sealReason(
    target: CredentialTarget,
    issued: Pick<CredentialIssued['data'], 'identityId' | 'token'>,
    eventId: string,
    reason: string | undefined,
  ): Promise<CredentialChange['reason']> {
    if (reason === undefined || (await this.openToken(target, issued)) === undefined) return null;
    const key = await this.vault.subjectKey(target.tenantId, issued.identityId);
    return key.id === issued.token.key ? this.vault.seal(key, placeOf(target, eventId, REASON_FIELD), reason) : null;
  }

  /** Null if there is none, or it was erased. */
  async openReason(target: CredentialTarget, { latest }: Credential): Promise<string | null> {
    if (latest === null || latest.reason === null) return null;
    const opened = await this.vault.open(placeOf(target, latest.eventId, REASON_FIELD), latest.reason);
    return opened === ERASED ? null : (opened as string);
  }
}

const placeOf = (target: CredentialTarget, eventId: string, field: string) => ({
  tenantId: target.tenantId,
  stream: streamOf(target),
  eventId,
  field,
});
