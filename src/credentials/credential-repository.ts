import { Injectable } from '@nestjs/common';
import { decodeJwt } from 'jose';
import { type CommandMetadata } from '../kernel/events.js';
import { type TenantId } from '../kernel/ids.js';
import { ERASED, Vault } from '../platform/crypto/vault.js';
import { AggregateStore } from '../log/append/aggregate-store.js';
import { type Aggregates, type Decided, type DecideOptions, type Loaded } from '../log/append/aggregates.js';
import { type CredentialClaims } from './domain/credential-claims.js';
import { credentialCategory } from './domain/credential.category.js';
import { type CredentialChange, type CredentialCommand, type NotifyOfExpiry } from './domain/credential.commands.js';
import {
  type CredentialEvent,
  type CredentialIssued,
  credentialStream,
  issuanceIdOf,
  TOKEN_FIELD,
} from './domain/credential.events.js';
import { type AcceptOffer, type EndOffer, type NoteWalletNotice } from './domain/offer.commands.js';
import { type CredentialOffered, PERSON_FIELD } from './domain/offer.events.js';
import { type Credential } from './domain/credential.js';

export interface CredentialTarget {
  readonly tenantId: TenantId;
  readonly credentialId: string;
}

/** The person that a credential is offered for, as asked. */
export interface OfferedPerson {
  readonly email: string;
  readonly phone: string;
  readonly full_name: string;
  readonly date_of_birth: string;
}

interface At {
  readonly now: Date;
  readonly metadata: CommandMetadata;
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
    { now, metadata }: At,
  ): Promise<Decided<Credential, CredentialEvent>> {
    const stream = streamOf(target);
    // Nothing is before it, unless it was offered.
    const isForWallet = issued.wallet !== undefined;
    const loaded = isForWallet ? undefined : this.credentials.unread(stream);
    const options = { metadata, firstEventId: issuanceIdOf(target.credentialId, isForWallet), loaded };
    return this.credentials.execute(stream, { kind: 'issue', issued, now }, options);
  }

  /** Records the offer, or finds an earlier attempt's. */
  async offer(
    target: CredentialTarget,
    offered: CredentialOffered['data'],
    metadata: CommandMetadata,
  ): Promise<Decided<Credential, CredentialEvent>> {
    const stream = streamOf(target);
    const options = { metadata, firstEventId: target.credentialId, loaded: this.credentials.unread(stream) };
    return this.credentials.execute(stream, { kind: 'offer', offered }, options);
  }

  changeOffer(
    target: CredentialTarget,
    command: AcceptOffer | EndOffer | NoteWalletNotice,
    metadata: CommandMetadata,
    options: Options = {},
  ): Promise<Decided<Credential, CredentialEvent>> {
    return this.credentials.execute(streamOf(target), command, { ...options, metadata });
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

  /** Seals the token of an issuance, or the tokens of a wallet's copies, under the person's key. */
  async sealToken(
    target: CredentialTarget,
    identityId: string,
    token: string | readonly string[],
  ): Promise<CredentialIssued['data']['token']> {
    const eventId = issuanceIdOf(target.credentialId, typeof token !== 'string');
    const key = await this.vault.subjectKey(target.tenantId, identityId);
    return this.vault.seal(key, placeOf(target, eventId, TOKEN_FIELD), token);
  }

  /** Undefined if the person's key was destroyed, or wallets hold the tokens. */
  async openToken(target: CredentialTarget, issued: CredentialIssued['data']): Promise<string | undefined> {
    return issued.wallet === undefined ? this.open<string>(target, issued) : undefined;
  }

  /** The copies for a wallet, in the order of its keys. Undefined if the person's key was destroyed. */
  openCopies(target: CredentialTarget, issued: CredentialIssued['data']): Promise<readonly string[] | undefined> {
    return this.open<readonly string[]>(target, issued);
  }

  async sealPerson(
    target: CredentialTarget,
    identityId: string,
    person: OfferedPerson,
  ): Promise<CredentialOffered['data']['person']> {
    const key = await this.vault.subjectKey(target.tenantId, identityId);
    return this.vault.seal(key, placeOf(target, target.credentialId, PERSON_FIELD), person);
  }

  /** Undefined if the person's key was destroyed. */
  async openPerson(
    target: CredentialTarget,
    { person }: Pick<CredentialOffered['data'], 'person'>,
  ): Promise<OfferedPerson | undefined> {
    const opened = await this.vault.open(placeOf(target, target.credentialId, PERSON_FIELD), person);
    return opened === ERASED ? undefined : (opened as OfferedPerson);
  }

  /** The name in a credential. Undefined if the person's key was destroyed. */
  async nameIn(target: CredentialTarget, { issued, offer }: Credential): Promise<string | undefined> {
    if (offer !== null) return (await this.openPerson(target, offer.offered))?.full_name;
    const token = issued === null ? undefined : await this.openToken(target, issued);
    return token && decodeJwt<CredentialClaims>(token).vc.credentialSubject.full_name;
  }

  /**
   * Seals the reason for a change's event, under the key of the token, since it may be about the person. Null once that key is
   * destroyed: another one of the same person would outlast the erasure.
   */
  async sealReason(
    target: CredentialTarget,
    issued: CredentialIssued['data'],
    eventId: string,
    reason: string | undefined,
  ): Promise<CredentialChange['reason']> {
    if (reason === undefined || (await this.open(target, issued)) === undefined) return null;
    const key = await this.vault.subjectKey(target.tenantId, issued.identityId);
    return key.id === issued.token.key ? this.vault.seal(key, placeOf(target, eventId, REASON_FIELD), reason) : null;
  }

  /** Null if there is none, or it was erased. */
  async openReason(target: CredentialTarget, { latest }: Credential): Promise<string | null> {
    if (latest === null || latest.reason === null) return null;
    const opened = await this.vault.open(placeOf(target, latest.eventId, REASON_FIELD), latest.reason);
    return opened === ERASED ? null : (opened as string);
  }

  private async open<Sealed>(target: CredentialTarget, issued: CredentialIssued['data']): Promise<Sealed | undefined> {
    const eventId = issuanceIdOf(target.credentialId, issued.wallet !== undefined);
    const opened = await this.vault.open(placeOf(target, eventId, TOKEN_FIELD), issued.token);
    return opened === ERASED ? undefined : (opened as Sealed);
  }
}

const placeOf = (target: CredentialTarget, eventId: string, field: string) => ({
  tenantId: target.tenantId,
  stream: streamOf(target),
  eventId,
  field,
});
