import { hash } from 'node:crypto';
import { networkOf } from '../kernel/address-ranges.js';
import { type FastifyRequest } from 'fastify';
import { isMemberId } from '../kernel/audit-actors.js';
import { isRejection, refuse } from '../kernel/rejection.js';
import { assertOwnPage, isFromConsole } from './console/console-request.js';
import { type Limits, type Subject } from '../kernel/rate-limits.js';
import { type Allowance, limitsOf, type RateLimiter } from '../platform/rate-limit/rate-limiter.js';
import {
  type AccessRule,
  type AnonymousPrincipal,
  type Authenticator,
  type Principal,
  type TenantPrincipal,
} from './request-context.js';

export type Caller = Principal | AnonymousPrincipal;

/** The subject that a request counts against, and its limits. */
export interface Counter {
  readonly subject: Subject;
  readonly limits: Limits;
}

/** The caller, as far as it is known. The response is `refusal`, once the request has been counted. */
export interface Identified {
  readonly caller: Caller;
  readonly counter: Counter;
  readonly refusal?: Error;
}

const ANONYMOUS: Caller = { kind: 'anonymous' };
const BEARER = /^Bearer +([^\s]+) *$/i;

export const bearerTokenOf = (request: FastifyRequest): string | undefined =>
  BEARER.exec(request.headers.authorization ?? '')?.[1];

/** The form of an API key, and not of a JWT. */
const looksLikeApiKey = (text: string): boolean => /^kyc_[a-z]+_/.test(text);

/** Helps a caller who sent the right credentials in the wrong header. */
const missingApiKey = (request: FastifyRequest): Error => {
  const bearer = bearerTokenOf(request);
  if (bearer === undefined) return refuse('missing_api_key');
  return refuse('missing_api_key', {
    detail: looksLikeApiKey(bearer)
      ? 'The API key stands in the header Authorization; send it in the header X-API-Key'
      : 'This path takes an API key in the header X-API-Key, not a bearer token',
  });
};

const missingToken = (request: FastifyRequest): Error =>
  apiKeyOf(request) === undefined
    ? refuse('missing_token')
    : refuse('missing_token', {
        detail: 'This path takes an access token in the header Authorization: Bearer <token>, not an API key',
      });

const apiKeyAsToken = (): Error =>
  refuse('invalid_token', {
    detail: 'An API key was sent as bearer token; this path takes an access token of the identity provider',
  });

const apiKeyOf = (request: FastifyRequest): string | undefined => {
  const header = request.headers['x-api-key'];
  return typeof header === 'string' && header !== '' ? header : undefined;
};

/** An unknown caller has used up its limit, so the service does not look up its key. */
export class StrangerExhausted extends Error {
  override readonly name = 'StrangerExhausted';

  constructor(readonly allowance: Allowance) {
    super('the stranger has used up the limit');
  }
}

const admitStranger = async ({ subject, limits }: Counter, limiter: RateLimiter): Promise<void> => {
  const allowance = await limiter.peek(subject, limits);
  if (allowance.verdict !== 'allowed') throw new StrangerExhausted(allowance);
};

/** An unknown path gets 404 for every caller. A valid key only decides which account the request counts against. */
const showsKey = (rule: AccessRule | undefined): boolean => rule === undefined || rule.kind === 'key';

const identify = async (
  rule: AccessRule | undefined,
  request: FastifyRequest,
  authenticator: Authenticator,
  admit: () => Promise<void>,
): Promise<Caller> => {
  if (rule?.kind === 'public' || rule?.kind === 'signed') return ANONYMOUS;
  if (rule === undefined || rule.kind === 'key') {
    const apiKey = apiKeyOf(request);
    if (apiKey !== undefined) return authenticator.recognise(apiKey) ?? authenticator.byApiKey(apiKey, admit);
    if (rule === undefined) return ANONYMOUS;
    throw missingApiKey(request);
  }
  const token = bearerTokenOf(request);
  if (token === undefined) throw missingToken(request);
  if (looksLikeApiKey(token)) throw apiKeyAsToken();
  return authenticator.byToken(token, rule.kind);
};

/**
 * The counter for a request whose caller is unknown. A well-formed key has a budget of its own, since behind a proxy all callers
 * share one address. The network has one for what is found by no look-up: see decision 0028.
 */
const strangerCounter = (
  rule: AccessRule | undefined,
  request: FastifyRequest,
  authenticator: Authenticator,
): Counter => {
  const apiKey = showsKey(rule) ? apiKeyOf(request) : undefined;
  if (apiKey === undefined || !authenticator.isWellFormed(apiKey)) return counterOf(rule, ANONYMOUS, request.address);
  return { subject: { kind: 'key', id: hash('sha256', apiKey, 'base64') }, limits: STRANGER_LIMITS };
};

const networkIn = (address: string | null): string => (address === null ? 'unreadable' : networkOf(address));

/** Counts the look-ups that found nothing. Each key has a budget of its own, so made-up keys would have no limit. */
const lookUpCounter = ({ address }: FastifyRequest): Counter => ({
  subject: { kind: 'look_ups', id: networkIn(address) },
  limits: FAILED_LOOK_UP_LIMITS,
});

/** Sessions of an account share so many counters, so that one page seldom uses up another's. */
const SESSION_COUNTERS = 4;

const sessionCounter = ({ headers }: FastifyRequest, { id }: Subject, authenticator: Authenticator): Counter => {
  const token = hash('sha256', authenticator.sessionTokenIn(headers.cookie) ?? '', 'buffer');
  return { subject: { kind: 'session', id: `${id}/${token.readUInt8(0) % SESSION_COUNTERS}` }, limits: SESSION_LIMITS };
};

/** The console's session takes the place of a key, or an operator's token. */
const identifySession = (
  request: FastifyRequest,
  authenticator: Authenticator,
  { admit, isUse }: { readonly admit: () => Promise<void>; readonly isUse: boolean },
): Promise<Principal> => {
  const token = authenticator.sessionTokenIn(request.headers.cookie);
  if (token === undefined) throw refuse('missing_token', { detail: 'The console has no session here; sign in' });
  assertOwnPage(request);
  return authenticator.bySession(token, admit, isUse);
};

/** Throws where the key may be used from other addresses only. An address that cannot be read is outside. */
export const refuseOutside = ({ allowedAddresses }: TenantPrincipal, address: string | null): void => {
  if (allowedAddresses !== undefined && (address === null || !allowedAddresses.has(address)))
    throw refuse('address_not_allowed');
};

/** `isUse`: false for a caller of before that is looked at again, which keeps no session alive. */
export const identifyCaller = async (
  rule: AccessRule | undefined,
  request: FastifyRequest,
  authenticator: Authenticator,
  limiter: RateLimiter,
  { isUse = true }: { readonly isUse?: boolean } = {},
): Promise<Identified> => {
  const isSession = isFromConsole(request);
  const stranger = (): Counter =>
    isSession ? counterOf(rule, ANONYMOUS, request.address) : strangerCounter(rule, request, authenticator);
  const lookUps: Counter[] = [];
  const admit = async (): Promise<void> => {
    await admitStranger(stranger(), limiter);
    if (isSession) return;
    await admitStranger(lookUpCounter(request), limiter);
    lookUps.push(lookUpCounter(request));
  };
  let caller: Caller = ANONYMOUS;
  try {
    caller = await (isSession
      ? identifySession(request, authenticator, { admit, isUse })
      : identify(rule, request, authenticator, admit));
    if (caller.kind === 'anonymous') return { caller, counter: stranger() };
    if (caller.kind === 'tenant') {
      refuseOutside(caller, request.address);
      if (isUse) authenticator.noteUse(caller, request.address);
    }
    const { subject, limits } = counterOf(rule, caller, request.address);
    return { caller, counter: isSession ? sessionCounter(request, subject, authenticator) : { subject, limits } };
  } catch (error) {
    const refusal = error instanceof Error ? error : new Error('not an error was thrown', { cause: error });
    const failed = isRejection(refusal, 'invalid_api_key') ? lookUps : [];
    for (const { subject, limits } of failed) await limiter.take(subject, limits);
    return { caller, counter: stranger(), refusal };
  }
};

/** Whether a caller with valid credentials satisfies the rule. */
export const mayPass = (rule: AccessRule, caller: Caller, isRead = false): boolean => {
  switch (rule.kind) {
    case 'public':
    case 'signed':
      return true;
    case 'key':
      if (caller.kind !== 'tenant') return false;
      return (
        caller.scopes.has(rule.scope) || ((isRead || rule.isRead === true) && caller.reads?.has(rule.scope) === true)
      );
    case 'token':
      return caller.kind === 'bearer' && caller.tokenScopes.has(rule.scope);
    case 'role':
      return caller.kind === 'operator' && rule.roles.some((role) => caller.roles.has(role));
  }
};

const lookedAt = (caller: Caller): string => {
  if (caller.kind !== 'bearer') return '';
  const { scopeClaims } = caller;
  return `: it is looked for in the claim${scopeClaims.length > 1 ? 's' : ''} ${scopeClaims.join(' and ')}`;
};

/** Names what the credentials lack. A session of the console may be of another kind than the path asks for. */
export const lacking = (rule: AccessRule, caller: Caller): Error => {
  switch (rule.kind) {
    case 'key':
      return refuse('forbidden', {
        detail:
          caller.kind === 'tenant'
            ? `The ${isMemberId(caller.actorId) ? 'member’s role' : 'API key'} lacks the scope ${rule.scope}`
            : `This takes an API key with the scope ${rule.scope}, and the session is an operator's`,
      });
    case 'token':
      return refuse('forbidden', {
        detail:
          caller.kind === 'bearer'
            ? `The access token lacks the scope ${rule.scope}${lookedAt(caller)}`
            : `This takes an access token with the scope ${rule.scope}, not a session of the console`,
      });
    case 'role':
      return refuse('forbidden', {
        detail:
          caller.kind === 'tenant'
            ? `This takes an operator with one of the roles ${rule.roles.join(', ')}, and the session is an account's`
            : `The access token has none of the roles ${rule.roles.join(', ')} in the claim roles`,
      });
    case 'public':
    case 'signed':
      return refuse('forbidden');
  }
};

const OPERATOR_LIMITS = limitsOf(6_000);
/** Of a session, or of a few that share a counter. Apart from the account's own, which a page would use up. */
const SESSION_LIMITS = limitsOf(600);
const STRANGER_LIMITS = limitsOf(60);
/** Of well-formed keys from one network that no one has. Far more than the honest callers behind one proxy mistype. */
const FAILED_LOOK_UP_LIMITS = limitsOf(600);

const publicLimits = new Map<number, Limits>();

const limitsOfAddress = (rule: AccessRule | undefined): Limits => {
  if (rule?.kind !== 'public' || rule.perMinute === undefined) return STRANGER_LIMITS;
  const known = publicLimits.get(rule.perMinute) ?? limitsOf(rule.perMinute);
  publicLimits.set(rule.perMinute, known);
  return known;
};

/** Paths with limits of their own have a separate counter. Otherwise many calls there would use up the limit elsewhere. */
const addressCounter = (rule: AccessRule | undefined, address: string | null): string => {
  // Callers whose address cannot be read share a counter: they are not the proxy.
  const network = networkIn(address);
  return rule?.kind === 'public' && rule.perMinute !== undefined ? `${network} ${rule.perMinute}` : network;
};

/** The counter of an identified caller, or of an anonymous one. */
export const counterOf = (rule: AccessRule | undefined, caller: Caller, address: string | null): Counter => {
  switch (caller.kind) {
    case 'tenant':
    case 'bearer':
      return { subject: { kind: 'account', id: caller.tenantId }, limits: caller.limits };
    case 'operator':
      return { subject: { kind: 'operator', id: caller.subjectHash }, limits: OPERATOR_LIMITS };
    case 'anonymous':
      return { subject: { kind: 'address', id: addressCounter(rule, address) }, limits: limitsOfAddress(rule) };
  }
};

export const actorIdOf = (caller: Caller): string => {
  switch (caller.kind) {
    case 'tenant':
      return caller.actorId;
    case 'bearer':
    case 'operator':
      return caller.subjectHash;
    case 'anonymous':
      return 'anonymous';
  }
};
