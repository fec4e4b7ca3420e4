import { Body, Controller, Delete, Get, HttpCode, Inject, Optional, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { isRejection, refuse } from '../../kernel/rejection.js';
import { type Config } from '../../platform/config/config.js';
import { Public } from '../../http/access.js';
import { isMemberId } from '../../kernel/audit-actors.js';
import { refuseOutside } from '../../http/caller.js';
import { assertOwnPage, isSecureConsole, sessionCookie, sessionTokensIn } from '../../http/console/console-request.js';
import { EnumField, TextField } from '../../http/fields.js';
import { Authenticator, type OperatorPrincipal, ROLES, type TenantPrincipal } from '../../http/request-context.js';
import { CONFIG } from '../../platform/tokens.js';
import { DEMO_OWNER_ID, DEMO_TENANT_ID } from '../demo-account.js';
import { readDemoAccount } from '../demo-account-file.js';
import { isLocal } from './loopback.js';
import { DevelopmentIdentityProvider } from '../tokens/development-provider.js';
import { AccountReader } from '../account-reader.js';
import { ConsoleSessions, MAX_MS, type Session, type SessionPrincipal } from '../sessions/console-sessions.js';
import { OidcSignIn } from '../sessions/oidc-sign-in.js';

class SignIn {
  @TextField({ optional: true, max: 200, description: 'An API key; only its id is kept' })
  api_key?: string;

  @TextField({ optional: true, max: 200, description: 'What the printed link of an embedded start carries' })
  link?: string;
}

/** The request was counted already. */
const admitted = (): Promise<void> => Promise.resolve();

class WantedRole {
  @EnumField(['tenant', 'operator'], { description: 'What the session of the demo account is from now on' })
  role!: 'tenant' | 'operator';
}

const DEMO_OPERATOR = { kind: 'operator', subject: 'development-console', roles: ROLES } as const;

/** Signing in to the console, and out. Not part of the public API: only the console calls it. */
@ApiExcludeController()
@Controller('console/session')
export class ConsoleSessionController {
  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly authenticator: Authenticator,
    private readonly oidc: OidcSignIn,
    private readonly reader: AccountReader,
    @Inject(CONFIG) private readonly config: Config,
    @Optional() private readonly provider?: DevelopmentIdentityProvider,
  ) {}

  @Get()
  @Public({ perMinute: 600 })
  async show(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<object> {
    assertOwnPage(request);
    const { token, session } = await this.current(request);
    if (token !== undefined && session !== undefined) {
      try {
        const principal = await this.authenticator.bySession(token, admitted);
        if (principal.kind === 'tenant') refuseOutside(principal, request.address);
        return await this.shown(session, principal);
      } catch (error) {
        if (!isRejection(error)) throw error;
        // A suspended account may come back, and a caller to an allowed address; a key that was revoked does not.
        if (error.code !== 'account_disabled' && error.code !== 'address_not_allowed') await this.leave([token], reply);
      }
    }
    return { signed_in: false, embedded: this.provider !== undefined, oidc: this.oidc.isOffered };
  }

  @Post()
  @HttpCode(200)
  @Public()
  async signIn(
    @Body() { api_key: apiKey, link }: SignIn,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    assertOwnPage(request);
    if (link === undefined && apiKey === undefined)
      throw refuse('missing_api_key', { detail: 'api_key or link is required' });
    const session =
      link === undefined
        ? { principal: await this.keyHolder(apiKey ?? '', request), isDemo: false }
        : { principal: await this.demoHolder(await this.demoKey(link, request), request), isDemo: true };
    const token = await this.sessions.begin(session);
    for (const former of this.tokensOf(request)) await this.sessions.end(former);
    return this.enter(token, session, reply);
  }

  @Post('role')
  @HttpCode(200)
  @Public()
  async switchRole(
    @Body() { role }: WantedRole,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    assertOwnPage(request);
    const { token: former, session } = await this.current(request);
    const demo = await readDemoAccount(this.config.dataDir);
    if (former === undefined || session?.isDemo !== true || this.provider === undefined || demo === undefined)
      throw refuse('forbidden', { detail: 'Only a session of the demo account switches its role' });
    const principal = role === 'operator' ? DEMO_OPERATOR : await this.demoHolder(demo.api_key, request);
    const wanted = { principal, isDemo: true };
    const token = await this.sessions.replace(former, wanted);
    if (token === undefined) throw refuse('invalid_token', { detail: 'The session has ended: sign in again' });
    return this.enter(token, wanted, reply);
  }

  @Delete()
  @HttpCode(204)
  @Public({ perMinute: 600 })
  async signOut(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    assertOwnPage(request);
    await this.leave(this.tokensOf(request), reply);
  }

  private async current(
    request: FastifyRequest,
  ): Promise<{ readonly token: string | undefined; readonly session: Session | undefined }> {
    const token = this.authenticator.sessionTokenIn(request.headers.cookie);
    return { token, session: token === undefined ? undefined : await this.sessions.find(token) };
  }

  /** The first owner, or the demo key where the account has removed that one. */
  private async demoHolder(apiKey: string, request: FastifyRequest): Promise<SessionPrincipal> {
    const record = await this.reader.require(DEMO_TENANT_ID);
    return record.account.members.get(DEMO_OWNER_ID)?.status === 'active'
      ? { kind: 'member', tenantId: DEMO_TENANT_ID, memberId: DEMO_OWNER_ID }
      : this.keyHolder(apiKey, request);
  }

  private async keyHolder(apiKey: string, { address }: FastifyRequest): Promise<SessionPrincipal> {
    const principal = await this.authenticator.byApiKey(apiKey, admitted);
    refuseOutside(principal, address);
    this.authenticator.noteUse(principal, address);
    const { tenantId, actorId: keyId } = principal;
    return { kind: 'tenant', tenantId, keyId };
  }

  private async enter(token: string, session: Session, reply: FastifyReply): Promise<object> {
    reply.header('Set-Cookie', sessionCookie(token, MAX_MS / 1_000, isSecureConsole(this.config)));
    return this.shown(session, await this.authenticator.bySession(token, admitted));
  }

  private async leave(tokens: readonly string[], reply: FastifyReply): Promise<void> {
    for (const token of tokens) await this.sessions.end(token);
    reply.header('Set-Cookie', sessionCookie('', 0, isSecureConsole(this.config)));
  }

  /** All that the request names: another host of the domain may have added one. */
  private tokensOf({ headers }: FastifyRequest): readonly string[] {
    return sessionTokensIn(headers.cookie, isSecureConsole(this.config));
  }

  /** An operator of this machine has the link. A connection from this machine alone proves nothing. */
  private async demoKey(link: string, request: FastifyRequest): Promise<string> {
    const isOwn =
      this.provider?.admitsLink(link) === true && isLocal(request.raw.socket.remoteAddress, request.headers);
    const demo = isOwn ? await readDemoAccount(this.config.dataDir) : undefined;
    if (demo === undefined)
      throw refuse('invalid_token', {
        detail: 'The link is not of this deployment: demo-account.json has the present one',
      });
    return demo.api_key;
  }

  private async shown({ isDemo }: Session, principal: TenantPrincipal | OperatorPrincipal): Promise<object> {
    const who =
      principal.kind === 'tenant'
        ? {
            kind: 'tenant',
            account: await this.nameOf(principal),
            tenant_id: principal.tenantId,
            ...(await this.ownNameOf(principal)),
            scopes: [...principal.scopes],
            reads: [...(principal.reads ?? [])],
          }
        : { kind: 'operator', roles: [...principal.roles], oidc: !isDemo };
    return { signed_in: true, demo: isDemo, environment: this.config.environment, ...who };
  }

  private async ownNameOf({ tenantId, actorId }: TenantPrincipal): Promise<object> {
    if (!isMemberId(actorId)) return { key_id: actorId };
    const record = await this.reader.require(tenantId);
    const name = await this.reader.open(record, record.people.get(actorId)?.name);
    return { member: { member_id: actorId, name, role: record.account.members.get(actorId)?.role } };
  }

  private async nameOf({ tenantId }: TenantPrincipal): Promise<string> {
    return (await this.reader.require(tenantId)).account.name;
  }
}
