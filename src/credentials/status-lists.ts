import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { createHeaderAndPayload, StatusList } from '@sd-jwt/jwt-status-list';
import { LRUCache } from 'lru-cache';
import {
  CredentialQueries,
  STATUS_PURPOSES,
  type StatusPurpose,
} from '../../projections/credentials/credentials.queries.js';
import { CLOCK_SLACK_MS } from '../kernel/clock.js';
import { type Signer, signJwt } from '../platform/crypto/signing-keys.js';
import { keyUrlOf, statusListUrl } from './domain/credential-claims.js';
import { tokenListUrl } from './domain/wallet-credential.js';
import { LIST_LENGTH } from './domain/status-block.events.js';
import { IssuerIdentity } from './issuer.js';
import { IssuerKeys } from './issuer-keys.js';

/** How long a verifier may keep a list, milliseconds (W3C Bitstring Status List v1.0, section 2.2). */
const TIME_TO_LIVE = 300_000;

/** Lists kept in memory; one is about 20 KB at most. */
const MAX_KEPT = 200;

/** The values of a Token Status List, two bits each (section 7.1 of the standard). */
const [VALID, INVALID, SUSPENDED] = [0, 1, 2];
const BITS = 2;

export interface SignedList {
  /** A JWT: a VC 2.0 document of typ vc+jwt, or a list of typ statuslist+jwt. */
  readonly token: string;
  /** A strong entity tag (RFC 9110 section 8.8.3). */
  readonly etag: string;
}

interface Kept extends SignedList {
  readonly version: string;
  readonly kid: string;
}

const compress = promisify(gzip);

/** The bits of a list: index 0 is the leftmost (W3C Bitstring Status List v1.0, section 3.3). */
const bitstringOf = (indexes: readonly number[]): Buffer => {
  const bits = Buffer.alloc(LIST_LENGTH / 8);
  for (const index of indexes) bits[index >> 3] = (bits[index >> 3] ?? 0) | (0x80 >> (index & 7));
  return bits;
};

/** The status lists, made of the registry's rows. A list is signed anew where its bits or the issuer's key changed. */
@Injectable()
export class StatusLists {
  private readonly kept = new LRUCache<string, Kept>({ max: MAX_KEPT });

  constructor(
    private readonly registry: CredentialQueries,
    private readonly keys: IssuerKeys,
    private readonly issuer: IssuerIdentity,
  ) {}

  /** Undefined if there is no such list. Throws Unavailable. */
  find(purpose: StatusPurpose, list: number): Promise<SignedList | undefined> {
    return this.current(`${purpose} ${list}`, [purpose], list, (signer) => this.make(purpose, list, signer));
  }

  /** The same places as a Token Status List. Undefined if there is no such list. Throws Unavailable. */
  findTokenList(list: number): Promise<SignedList | undefined> {
    return this.current(`tokens ${list}`, STATUS_PURPOSES, list, (signer) => this.makeTokenList(list, signer));
  }

  private async current(
    name: string,
    purposes: readonly StatusPurpose[],
    list: number,
    make: (signer: Signer) => Promise<Kept | undefined>,
  ): Promise<SignedList | undefined> {
    await this.registry.assertCurrent();
    const versions = await Promise.all(purposes.map((purpose) => this.registry.listVersion(purpose, list)));
    const present = versions.map((found) => found?.version).join();
    if (versions.includes(undefined)) return undefined;
    const signer = await this.keys.signer();
    const kept = this.kept.get(name);
    if (kept?.version === present && kept.kid === signer.kid) return kept;
    const made = await make(signer);
    if (made !== undefined) this.kept.set(name, made);
    return made;
  }

  private async makeTokenList(list: number, signer: Signer): Promise<Kept | undefined> {
    const [revoked, suspended] = await Promise.all([
      this.registry.bits('revocation', list),
      this.registry.bits('suspension', list),
    ]);
    if (revoked === undefined || suspended === undefined) return undefined;
    const values = Array<number>(LIST_LENGTH).fill(VALID);
    for (const index of suspended.indexes) values[index] = SUSPENDED;
    for (const index of revoked.indexes) values[index] = INVALID;
    const { issuer, baseUrl } = await this.issuer.present();
    const changedAt = Math.max(revoked.changedAt.getTime(), suspended.changedAt.getTime());
    const claims = {
      iss: baseUrl,
      sub: tokenListUrl(baseUrl, list),
      // A verifier's clock may be behind ours.
      iat: Math.floor((changedAt - CLOCK_SLACK_MS) / 1_000),
      ttl: TIME_TO_LIVE / 1_000,
    };
    const typ = 'statuslist+jwt';
    const { payload } = createHeaderAndPayload(new StatusList(values, BITS), claims, { alg: 'EdDSA', typ });
    const token = await signJwt({ ...signer, kid: keyUrlOf(issuer, signer.kid) }, payload, typ);
    return keptAs(token, [revoked.version, suspended.version].join(), signer);
  }

  private async make(purpose: StatusPurpose, list: number, signer: Signer): Promise<Kept | undefined> {
    const rows = await this.registry.bits(purpose, list);
    if (rows === undefined) return undefined;
    const { issuer, baseUrl } = await this.issuer.present();
    const id = statusListUrl(baseUrl, purpose, list);
    const encodedList = `u${(await compress(bitstringOf(rows.indexes))).toString('base64url')}`;
    const token = await signJwt(
      { ...signer, kid: keyUrlOf(issuer, signer.kid) },
      {
        '@context': ['https://www.w3.org/ns/credentials/v2'],
        id,
        type: ['VerifiableCredential', 'BitstringStatusListCredential'],
        issuer,
        // A verifier's clock may be behind ours.
        validFrom: new Date(rows.changedAt.getTime() - CLOCK_SLACK_MS).toISOString(),
        credentialSubject: {
          id: `${id}#list`,
          type: 'BitstringStatusList',
          statusPurpose: purpose,
          encodedList,
          ttl: TIME_TO_LIVE,
        },
      },
      'vc+jwt',
    );
    return keptAs(token, rows.version, signer);
  }
}

const keptAs = (token: string, version: string, { kid }: Signer): Kept => ({
  token,
  etag: `"${hash('sha256', token, 'base64url')}"`,
  version,
  kid,
});
