import { answer, type components, createClient, KycError, type paths } from '@kyc/client';
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { sentOnce } from './parts/sent-once.js';

/** Until then the service has asked for patience. */
let notBefore = 0;

/** Reads wait for it while the page's session is not the browser's. */
let ownSession = Promise.resolve();
let resume: (() => void) | undefined;

/** No screen reads as another person, and none uses up the limit of those who are not signed in. */
export const holdReads = (isHeld: boolean): void => {
  if (isHeld && resume === undefined) ownSession = new Promise((done) => (resume = done));
  if (isHeld || resume === undefined) return;
  resume();
  resume = undefined;
};

/** Reads that were sent and not answered. */
const unanswered = new Set<Promise<unknown>>();

/** Milliseconds that a read is waited for. */
const MAX_WAIT_MS = 2_000;

/** Resolves once what was sent under this session is answered: none of it is refused since the session has ended. */
export const readsEnded = (): Promise<unknown> =>
  Promise.race([Promise.allSettled([...unanswered]), new Promise((done) => setTimeout(done, MAX_WAIT_MS))]);

/** A read waits as long as the last refusal of one for too many requests said. */
const inTime = async (request: Request): Promise<Response> => {
  if (request.method !== 'GET') return fetch(request);
  await ownSession;
  const wait = notBefore - performance.now();
  if (wait > 0) await new Promise((done) => setTimeout(done, wait));
  const read = fetch(request);
  unanswered.add(read);
  const response = await read.finally(() => unanswered.delete(read));
  if (response.status === 429)
    notBefore = performance.now() + 1_000 * Number(response.headers.get('Retry-After') ?? '1');
  return response;
};

/** The API by the console's session: the same routes, without a key. */
export const api = createClient({
  baseUrl: `${location.origin}/console/api`,
  headers: { 'X-Console': '1' },
  retries: 'never',
  fetch: sentOnce(inTime),
});

export { answer, type paths };

/** The shapes that the API answers with. */
export type Answers = components['schemas'];

/** What the API says of a failure, if it said anything. */
export const failureOf = (error: unknown): KycError | undefined => (error instanceof KycError ? error : undefined);

export interface SignedIn {
  readonly signed_in: true;
  readonly demo: boolean;
  readonly environment: 'sandbox' | 'production';
  readonly kind: 'tenant' | 'operator';
  /** The name of the account. */
  readonly account?: string;
  readonly tenant_id?: string;
  readonly key_id?: string;
  /** Who signed in as a member. */
  readonly member?: { readonly member_id: string; readonly name: string | null; readonly role: string };
  readonly scopes?: readonly string[];
  /** Further scopes, of which it may only read. */
  readonly reads?: readonly string[];
  readonly roles?: readonly string[];
  /** Whether the provider has a session of its own, which ends with this one. */
  readonly oidc?: boolean;
}

export interface SignedOut {
  readonly signed_in: false;
  /** Whether the start of this deployment prints a link. */
  readonly embedded: boolean;
  /** Whether operators sign in at an OpenID provider. */
  readonly oidc: boolean;
}

export type RequestOptions = PublicKeyCredentialRequestOptionsJSON;
export type CreationOptions = PublicKeyCredentialCreationOptionsJSON;

export interface Passkey {
  readonly id: string;
  readonly transports: readonly string[];
}

/** What an invitation's link leads to. */
export interface Invitation {
  readonly account: string;
  readonly name: string;
  readonly role: string;
  readonly options: CreationOptions;
}

const send = async <Answer>(method: string, path: string, body?: object): Promise<Answer> => {
  const response = await fetch(`/console/session${path}`, {
    method,
    headers: { 'X-Console': '1', ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const said = text === '' ? {} : (JSON.parse(text) as { readonly detail?: string });
  if (!response.ok) throw new Error(said.detail ?? `The service answered ${response.status}`);
  return said as Answer;
};

export const session = {
  read: () => send<SignedIn | SignedOut>('GET', ''),
  byKey: (apiKey: string) => send<SignedIn>('POST', '', { api_key: apiKey }),
  byLink: (link: string) => send<SignedIn>('POST', '', { link }),
  passkeyOptions: () => send<RequestOptions>('POST', '/passkey/options'),
  byPasskey: async (response: object): Promise<SignedIn> => {
    await send<object>('POST', '/passkey', { response });
    return send<SignedIn>('GET', '');
  },
  invitation: (invitation: string) => send<Invitation>('POST', '/invitation', { invitation }),
  join: async (invitation: string, response: object): Promise<SignedIn> => {
    await send<object>('POST', '/invitation/accept', { invitation, response });
    return send<SignedIn>('GET', '');
  },
  passkeys: () => send<{ readonly passkeys: readonly Passkey[] }>('GET', '/passkeys'),
  newPasskeyOptions: () => send<CreationOptions>('POST', '/passkeys/options'),
  addPasskey: (response: object) => send<object>('POST', '/passkeys', { response }),
  removePasskey: (id: string) => send<object>('DELETE', `/passkeys/${encodeURIComponent(id)}`),
  switchRole: (role: 'tenant' | 'operator') => send<SignedIn>('POST', '/role', { role }),
  end: () => send<object>('DELETE', ''),
};

export const nullIfNone = (error: unknown): null => {
  if (failureOf(error)?.status === 404) return null;
  throw error;
};
