import { Inject, Injectable } from '@nestjs/common';
import { type HashAlgorithm, type Jwk, Oauth2ServerErrorResponseError, setGlobalConfig } from '@openid4vc/oauth2';
import { type CredentialIssuerMetadata, Openid4vciIssuer } from '@openid4vc/openid4vci';
import { hash, randomBytes } from 'node:crypto';
import { calculateJwkThumbprint, compactVerify, decodeJwt, errors, importJWK, type JWK } from 'jose';
import { type Clock } from '../../kernel/clock.js';
import { CLOCK } from '../../platform/tokens.js';
import { IssuerIdentity } from '../issuer.js';
import {
  type ConfigurationId,
  CONFIGURATION_IDS,
  CONFIGURATIONS,
  authorizationServerMetadata,
  credentialIssuerMetadata,
  MAX_BATCH,
} from './issuer-metadata.js';
import { algorithmOf, keyOf } from './wallet-keys.js';
import { WalletRefusal } from './wallet-refusal.js';
import { WalletSecrets } from './wallet-secrets.js';

/** Characters of one proof. A proof has about 600. */
const MAX_PROOF = 8_192;

export interface AskedCredential {
  readonly configuration: ConfigurationId;
  /** The keys that the wallet proved that it has. */
  readonly holders: readonly JWK[];
  /** Whether the wallet asks by a form, as drafts up to 13 do. It then looks for one credential, not for a list. */
  readonly isDraft13: boolean;
}

const notSupported = () => Promise.reject(new Error('wallets ask for nothing that needs this'));

const isSignedBy = async (compact: string, key: JWK, alg: string): Promise<boolean> => {
  try {
    await compactVerify(compact, await importJWK(key, alg), { algorithms: [algorithmOf(key)] });
    return true;
  } catch (error) {
    // A key that does not fit its algorithm is a TypeError.
    if (error instanceof errors.JOSEError || error instanceof TypeError || error instanceof DOMException) return false;
    throw error;
  }
};

// The embedded default listens without TLS. Nothing is fetched from a URL of a wallet.
setGlobalConfig({ allowInsecureUrls: true });

const protocol = new Openid4vciIssuer({
  callbacks: {
    hash: (data: Uint8Array, algorithm: HashAlgorithm) => hash(algorithm.replace('-', ''), data, 'buffer'),
    generateRandom: (bytes: number) => randomBytes(bytes),
    signJwt: notSupported,
    verifyJwt: async (signer, { compact }) => {
      const key = keyOf(signer);
      if (key === undefined || !(await isSignedBy(compact, key, signer.alg))) return { verified: false };
      return { verified: true, signerJwk: key as Jwk };
    },
    clientAuthentication: notSupported,
  },
});

/** Reads what a wallet asks for, and whose keys it is for (OpenID4VCI 1.0, sections 8.2 and F.1). */
@Injectable()
export class WalletProofs {
  constructor(
    private readonly issuer: IssuerIdentity,
    private readonly secrets: WalletSecrets,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Throws WalletRefusal. */
  async read(body: unknown): Promise<AskedCredential> {
    const metadata = await this.metadata();
    const { credentialConfigurationId, credentialRequest, proofs } = parsed(metadata, body);
    const isDraft13 = credentialConfigurationId === undefined;
    const configuration = isDraft13 ? ofForm(credentialRequest.format) : credentialConfigurationId;
    if (!isKnown(configuration))
      throw new WalletRefusal(
        'unknown_credential_configuration',
        'credential_configuration_id is none of the metadata',
      );
    if (CONFIGURATIONS[configuration] !== 'dc+sd-jwt') return { configuration, holders: [], isDraft13 };
    const jwts = proofs?.jwt ?? [];
    if (jwts.length === 0 || jwts.length > MAX_BATCH)
      throw new WalletRefusal('invalid_proof', `proofs.jwt takes 1 to ${MAX_BATCH} proofs`);
    const holders: JWK[] = [];
    for (const jwt of jwts) holders.push(await this.holderOf(jwt, metadata));
    const thumbprints = await Promise.all(holders.map((holder) => calculateJwkThumbprint(holder)));
    if (new Set(thumbprints).size < holders.length)
      throw new WalletRefusal('invalid_proof', 'Each proof must be of another key');
    return { configuration, holders, isDraft13 };
  }

  private async holderOf(jwt: string, issuerMetadata: Metadata): Promise<JWK> {
    const nonce = jwt.length > MAX_PROOF ? undefined : nonceIn(jwt);
    if (nonce === undefined || !(await this.secrets.isNonce(nonce)))
      throw new WalletRefusal(
        'invalid_nonce',
        'The proof needs a nonce of the nonce endpoint, not older than 5 minutes',
      );
    try {
      const options = { issuerMetadata, jwt, expectedNonce: nonce, now: this.clock.now() };
      const { signer } = await protocol.verifyCredentialRequestJwtProof(options);
      return signer.publicJwk as JWK;
    } catch (error) {
      if (!(error instanceof Oauth2ServerErrorResponseError)) throw error;
      throw new WalletRefusal('invalid_proof', `A proof is not good: ${error.errorResponse.error_description ?? ''}`);
    }
  }

  private async metadata(): Promise<Metadata> {
    const { baseUrl } = await this.issuer.present();
    const credentialIssuer = credentialIssuerMetadata(baseUrl) as CredentialIssuerMetadata;
    return {
      originalDraftVersion: 'V1' as const,
      credentialIssuer,
      authorizationServers: [authorizationServerMetadata(baseUrl)],
      knownCredentialConfigurations: protocol.getKnownCredentialConfigurationsSupported(credentialIssuer),
    } as Metadata;
  }
}

type Metadata = Parameters<typeof protocol.parseCredentialRequest>[0]['issuerMetadata'];

const ofForm = (format: unknown): ConfigurationId | undefined =>
  CONFIGURATION_IDS.find((id) => CONFIGURATIONS[id] === format);

const isKnown = (id: string | undefined): id is ConfigurationId =>
  id !== undefined && Object.hasOwn(CONFIGURATIONS, id);

const parsed = (issuerMetadata: Metadata, body: unknown) => {
  try {
    return protocol.parseCredentialRequest({ issuerMetadata, credentialRequest: body as Record<string, unknown> });
  } catch (error) {
    if (!(error instanceof Oauth2ServerErrorResponseError)) throw error;
    throw new WalletRefusal('invalid_credential_request', error.errorResponse.error_description ?? 'Not understood');
  }
};

/** Undefined if the text is no JWT, or has none. */
const nonceIn = (jwt: string): string | undefined => {
  try {
    const { nonce } = decodeJwt(jwt);
    return typeof nonce === 'string' ? nonce : undefined;
  } catch {
    return undefined;
  }
};
