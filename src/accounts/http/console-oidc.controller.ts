import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { isRejection, refuse } from '../../kernel/rejection.js';
import { type Config } from '../../platform/config/config.js';
import { Public } from '../../http/access.js';
import { isSecureConsole, sessionCookie, sessionTokensIn } from '../../http/console/console-request.js';
import { configureRoute } from '../../http/route-config.js';
import { CONFIG } from '../../platform/tokens.js';
import { ConsoleSessions, MAX_MS } from '../sessions/console-sessions.js';
import { type SessionPrincipal } from '../sessions/console-sessions.js';
import { MemberArrivals } from '../members/member-arrivals.js';
import { type Departure, OidcSignIn, type SignedIn } from '../sessions/oidc-sign-in.js';

const PATH = '/console/session/oidc';
const COOKIE = 'kyc_console_oidc';
const FOUND = 302;
/** Seconds that a person may take at the provider. */
const DEPARTED = 600;

/** Undefined where there are several: another host of the domain may have added one. */
const departureIn = (cookies: string | undefined, name: string): Departure | undefined => {
  const named = (cookies ?? '').split(/; */).filter((cookie) => cookie.startsWith(`${name}=`));
  const [, state, nonce, verifier] = /=([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(named[0] ?? '') ?? [];
  const isOne = named.length === 1 && state !== undefined && nonce !== undefined && verifier !== undefined;
  return isOne ? { state, nonce, verifier } : undefined;
};

/** Signing operators in to the console at the OpenID provider. Browsers are led from page to page. */
@ApiExcludeController()
@Controller('console/session/oidc')
export class ConsoleOidcController {
  constructor(
    private readonly signIn: OidcSignIn,
    private readonly arrivals: MemberArrivals,
    private readonly sessions: ConsoleSessions,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get()
  @Public()
  async depart(@Res() reply: FastifyReply): Promise<void> {
    if (!this.signIn.isOffered) throw refuse('not_found');
    const { url, departure } = await this.signIn.begin();
    const { state, nonce, verifier } = departure;
    await reply.header('Set-Cookie', this.cookie(`${state}.${nonce}.${verifier}`, DEPARTED)).redirect(url.href, FOUND);
  }

  /** Providers add parameters of their own, so that none is refused as unknown. */
  @Get('callback')
  @configureRoute({ access: { kind: 'public' } })
  async arrive(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (!this.signIn.isOffered) throw refuse('not_found');
    const departure = departureIn(request.headers.cookie, this.cookieName);
    if (departure === undefined) {
      // It took too long, or the page was loaded again.
      await reply.redirect('/console?sign_in=invalid_token', FOUND);
      return;
    }
    const secure = isSecureConsole(this.config);
    void reply.header('Set-Cookie', this.cookie('', 0));
    try {
      const search = request.raw.url?.replace(/^[^?]*/, '') ?? '';
      const principal = await this.principalOf(await this.signIn.finish(search, departure), request.id);
      const token = await this.sessions.begin({ principal, isDemo: false });
      for (const former of sessionTokensIn(request.headers.cookie, secure)) await this.sessions.end(former);
      await reply.header('Set-Cookie', sessionCookie(token, MAX_MS / 1_000, secure)).redirect('/console', FOUND);
    } catch (error) {
      if (!isRejection(error)) throw error;
      await reply.redirect(`/console?sign_in=${error.code}`, FOUND);
    }
  }

  private async principalOf({ until, ...signedIn }: SignedIn, requestId: string): Promise<SessionPrincipal> {
    const ends = { until: until.toISOString() };
    if (signedIn.kind === 'operator') return { ...signedIn, ...ends };
    const { tenantId, email } = signedIn;
    return { kind: 'member', tenantId, memberId: await this.arrivals.memberOf(tenantId, email, requestId), ...ends };
  }

  /** After the console's own session has ended. */
  @Get('end')
  @Public()
  async end(@Res() reply: FastifyReply): Promise<void> {
    if (!this.signIn.isOffered) throw refuse('not_found');
    await reply.redirect(await this.signIn.end(), FOUND);
  }

  private get cookieName(): string {
    return `${isSecureConsole(this.config) ? '__Secure-' : ''}${COOKIE}`;
  }

  /** The browser returns from another site, which a cookie of SameSite=Strict does not outlast. */
  private cookie(value: string, maxAge: number): string {
    const secure = isSecureConsole(this.config) ? '; Secure' : '';
    return `${this.cookieName}=${value}; Path=${PATH}; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`;
  }
}
