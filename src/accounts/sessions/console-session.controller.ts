import { Body, Controller, Delete, Get, HttpCode, Inject, Optional, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { isRejection, refuse } from '../../kernel/rejection.js';
import { type Config } from '../../platform/config/config.js';
import { Public } from '../../platform/http/access.js';
import { assertOwnPage, cookieName, isSecureConsole } from '../../platform/http/console/console-request.js';
import { EnumField, TextField } from '../../platform/http/fields.js';
import { Authenticator, type OperatorPrincipal, type TenantPrincipal } from '../../platform/http/request-context.js';
import { CONFIG } from '../../platform/tokens.js';
import { readDemoAccount } from '../demo-account-file.js';
import { isLocal } from '../http/loopback.js';
import { DevelopmentIdentityProvider } from '../tokens/development-provider.js';
import { ConsoleSessions, type Session } from './console-sessions.js';

class SignIn {
  @TextField({ optional: true, max: 200, description: 'An API key; only its id is kept' })
  api_key?: string;

  @TextField({ optional: true, max: 200, description: 'What the printed link of an embedded start carries' })
  link?: string;
}

class Side {
  @EnumField(['tenant', 'operator'], { description: 'As whom the demo account goes on' })
  as!: 'tenant' | 'operator';
}

const DEMO_OPERATOR = {
  kind: 'operator',
  subject: 'development-console',
  roles: ['admin', 'support', 'security'],
} as const;

/** Seconds: the browser forgets the cookie when the longest session ends. */
const MAX_AGE = 8 * 3_600;

/** Signing in to the console, and out. No part of the API: its pages alone call it. */
@ApiExcludeController()
@Controller('console/session')
export class ConsoleSessionController {
  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly authenticator: Authenticator,
    @Inject(CONFIG) private readonly config: Config,
    @Optional() private readonly provider?: DevelopmentIdentityProvider,
  ) {}

  @Get()
  @Public({ perMinute: 600 })
  async show(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<object> {
    const token = this.authenticator.sessionTokenIn(request.headers.cookie);
    const session = token === undefined ? undefined : await this.sessions.find(token);
    if (token === undefined || session === undefined) return { signed_in: false, demo: this.provider !== undefined };
    try {
      return this.shown(session, await this.authenticator.bySession(token));
    } catch (error) {
      // Its key was revoked, or its account suspended: the reader signs in again.
      if (!isRejection(error)) throw error;
      await this.sessions.end(token);
      reply.header('Set-Cookie', this.cookie('', 0));
      return { signed_in: false, demo: this.provider !== undefined };
    }
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
    const isDemo = link !== undefined;
    const key = link === undefined ? apiKey : await this.demoKey(link, request);
    if (key === undefined) throw refuse('missing_api_key', { detail: 'api_key or link is required' });
    const { tenantId, keyId } = await this.authenticator.byApiKey(key, () => Promise.resolve());
    return this.begin({ principal: { kind: 'tenant', tenantId, keyId }, isDemo }, request, reply);
  }

  @Post('side')
  @HttpCode(200)
  @Public()
  async changeSide(
    @Body() { as }: Side,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    assertOwnPage(request);
    const token = this.authenticator.sessionTokenIn(request.headers.cookie);
    const session = token === undefined ? undefined : await this.sessions.find(token);
    if (session?.isDemo !== true || this.provider === undefined)
      throw refuse('forbidden', { detail: 'Only a session of the demo account changes sides' });
    if (as === 'operator') return this.begin({ principal: DEMO_OPERATOR, isDemo: true }, request, reply);
    const demo = await readDemoAccount(this.config.dataDir);
    if (demo === undefined) throw refuse('not_found');
    const { tenantId, keyId } = await this.authenticator.byApiKey(demo.api_key, () => Promise.resolve());
    return this.begin({ principal: { kind: 'tenant', tenantId, keyId }, isDemo: true }, request, reply);
  }

  @Delete()
  @HttpCode(204)
  @Public()
  async signOut(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    assertOwnPage(request);
    const token = this.authenticator.sessionTokenIn(request.headers.cookie);
    if (token !== undefined) await this.sessions.end(token);
    reply.header('Set-Cookie', this.cookie('', 0));
  }

  private async begin(session: Session, request: FastifyRequest, reply: FastifyReply): Promise<object> {
    const former = this.authenticator.sessionTokenIn(request.headers.cookie);
    if (former !== undefined) await this.sessions.end(former);
    const token = await this.sessions.begin(session);
    reply.header('Set-Cookie', this.cookie(token, MAX_AGE));
    return this.shown(session, await this.authenticator.bySession(token));
  }

  /** Whoever runs the service on this machine has the link. A connection from this machine alone proves nothing. */
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

  private shown({ isDemo }: Session, principal: TenantPrincipal | OperatorPrincipal): object {
    const who =
      principal.kind === 'tenant'
        ? { kind: 'tenant', tenant_id: principal.tenantId, key_id: principal.keyId, scopes: [...principal.scopes] }
        : { kind: 'operator', roles: [...principal.roles] };
    return { signed_in: true, demo: isDemo, environment: this.config.environment, ...who };
  }

  private cookie(token: string, maxAge: number): string {
    const isSecure = isSecureConsole(this.config);
    return `${cookieName(isSecure)}=${token}; Path=/console; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  }
}
