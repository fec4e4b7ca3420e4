import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { type IncomingMessage } from 'node:http';
import { createServer, type Server } from 'node:https';
import { type AddressInfo } from 'node:net';
import { localCertificateFolder } from './certificate.js';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';

export const CLIENT = { id: 'kyc-console', secret: 'a secret of the tests' } as const;
export const AUDIENCE = 'kyc';

/** Claims of the access token, and what the provider does wrong. */
export interface Behaviour {
  readonly claims?: JWTPayload;
  /** Seconds that the access token lasts. */
  readonly lasts?: number;
  readonly nonce?: string;
  /** Claims of the ID token, made of the access token. */
  readonly idClaims?: (accessToken: string) => JWTPayload;
  /** Signs the ID token with a key that is in no key set. */
  readonly isForeign?: boolean;
}

/** An OpenID provider at which somebody is signed in already. */
export class OpenIdProvider {
  behaviour: Behaviour = {};
  private readonly codes = new Map<string, URLSearchParams>();

  private constructor(
    private readonly server: Server,
    private readonly key: CryptoKey,
    private readonly jwk: JWK,
    private readonly folder: string,
    /** The certificate that its callers must know. */
    readonly certFile: string,
  ) {}

  static async start(): Promise<OpenIdProvider> {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' };
    const { folder, certFile, keyFile } = localCertificateFolder();
    const server = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) });
    const provider = new OpenIdProvider(server, privateKey, jwk, folder, certFile);
    server.on('request', (request, response) => {
      void provider.answer(request).then(({ status = 200, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return provider;
  }

  get issuer(): string {
    return `https://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
    rmSync(this.folder, { recursive: true });
  }

  /** Where somebody who is signed in is sent back to from this address of the provider. */
  authorize(address: string): string {
    const { searchParams: asked } = new URL(address);
    const code = randomUUID();
    this.codes.set(code, asked);
    const back = new URL(asked.get('redirect_uri') ?? '');
    back.search = new URLSearchParams({ code, state: asked.get('state') ?? '', iss: this.issuer }).toString();
    return back.href;
  }

  private async answer(request: IncomingMessage): Promise<{ status?: number; body: object }> {
    const { pathname } = new URL(request.url ?? '/', this.issuer);
    switch (pathname) {
      case '/.well-known/openid-configuration':
        return { body: this.metadata() };
      case '/keys':
        return { body: { keys: [this.jwk] } };
      case '/token':
        return this.tokens(await bodyOf(request));
      default:
        return { status: 404, body: {} };
    }
  }

  private metadata(): object {
    const { issuer } = this;
    return {
      ...{ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` },
      ...{ jwks_uri: `${issuer}/keys`, end_session_endpoint: `${issuer}/logout` },
      ...{ response_types_supported: ['code'], subject_types_supported: ['public'] },
      ...{ id_token_signing_alg_values_supported: ['ES256'], code_challenge_methods_supported: ['S256'] },
      authorization_response_iss_parameter_supported: true,
    };
  }

  /** A code counts once, and for who has the verifier of its challenge. */
  private async tokens(form: URLSearchParams): Promise<{ status?: number; body: object }> {
    const code = form.get('code') ?? '';
    const asked = this.codes.get(code);
    this.codes.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight =
      asked?.get('code_challenge') === challenge &&
      form.get('client_id') === CLIENT.id &&
      form.get('client_secret') === CLIENT.secret;
    if (!isRight) return { status: 400, body: { error: 'invalid_grant' } };
    const { claims = { roles: ['support'] }, lasts = 300, nonce = asked.get('nonce') ?? '' } = this.behaviour;
    const accessToken = await this.signed({ sub: 'josephine', ...claims }, AUDIENCE, lasts);
    const { idClaims = () => ({}), isForeign = false } = this.behaviour;
    const key = isForeign ? (await generateKeyPair('ES256')).privateKey : this.key;
    return {
      body: {
        ...{ token_type: 'Bearer', expires_in: lasts, access_token: accessToken },
        id_token: await this.signed({ sub: 'josephine', nonce, ...idClaims(accessToken) }, CLIENT.id, lasts, key),
      },
    };
  }

  private signed(claims: JWTPayload, audience: string, lasts: number, key = this.key): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
      .setIssuer(this.issuer)
      .setAudience(audience)
      .setIssuedAt(now)
      .setExpirationTime(now + lasts)
      .sign(key);
  }
}

const bodyOf = async (request: IncomingMessage): Promise<URLSearchParams> => {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += String(part);
  return new URLSearchParams(text);
};
