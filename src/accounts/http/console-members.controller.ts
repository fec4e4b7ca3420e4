import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiExcludeController } from '@nestjs/swagger';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type AuditAction } from '../../kernel/contract.js';
import { type Clock } from '../../kernel/clock.js';
import { newUuid } from '../../kernel/ids.js';
import { invariant } from '../../kernel/invariant.js';
import { refuse } from '../../kernel/rejection.js';
import { Public } from '../../http/access.js';
import { assertOwnPage, isSecureConsole, sessionCookie, sessionTokensIn } from '../../http/console/console-request.js';
import { ObjectField, TextField } from '../../http/fields.js';
import { Authenticator } from '../../http/request-context.js';
import { type Config } from '../../platform/config/config.js';
import { CLOCK, CONFIG } from '../../platform/tokens.js';
import { AccountReader } from '../account-reader.js';
import { type AccountMetadata } from '../domain/account-metadata.commands.js';
import { type AccountRecord } from '../domain/account-record.js';
import { AddPasskey, JoinAccount, RemovePasskey } from '../domain/member.commands.js';
import { Invitations } from '../members/invitations.js';
import { ConsoleSessions, MAX_MS } from '../sessions/console-sessions.js';
import { type PasskeyOwner, Passkeys } from '../sessions/passkeys.js';
import { withEntry } from './command-metadata.js';

/** Colleagues share an address, and nothing here can be guessed: it is all signed. */
const MANY = { perMinute: 600 };

const LIMITS = { maxBytes: 16_384, maxDepth: 4 };

class PasskeyBody {
  @ObjectField(LIMITS, { description: 'What the browser answered (WebAuthn, as JSON)' })
  response!: object;
}

class InvitationBody {
  @TextField({ max: 400, description: 'What the link of the invitation carries' })
  invitation!: string;
}

class JoinBody extends InvitationBody {
  @ObjectField(LIMITS, { description: 'What the browser answered (WebAuthn, as JSON)' })
  response!: object;
}

/** Members sign in here, and keep their passkeys. Not part of the public API: only the console calls it. */
@ApiExcludeController()
@Controller('console/session')
export class ConsoleMembersController {
  constructor(
    private readonly passkeys: Passkeys,
    private readonly invitations: Invitations,
    private readonly sessions: ConsoleSessions,
    private readonly authenticator: Authenticator,
    private readonly reader: AccountReader,
    private readonly commands: CommandBus,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Post('passkey/options')
  @HttpCode(200)
  @Public(MANY)
  signInOptions(@Req() request: FastifyRequest): Promise<object> {
    assertOwnPage(request);
    return this.passkeys.requestOptions();
  }

  @Post('passkey')
  @HttpCode(204)
  @Public(MANY)
  async signIn(
    @Body() { response }: PasskeyBody,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    assertOwnPage(request);
    await this.enter(await this.passkeys.signedIn(response), request, reply);
  }

  @Post('invitation')
  @HttpCode(200)
  @Public(MANY)
  async openInvitation(@Body() { invitation }: InvitationBody, @Req() request: FastifyRequest): Promise<object> {
    assertOwnPage(request);
    const { record, member } = await this.invitations.find(invitation);
    const name = await this.nameOf(record, member.memberId);
    const owner = { tenantId: record.tenantId, memberId: member.memberId };
    const options = await this.passkeys.creationOptions(owner, name, { passkeys: [] });
    return { account: record.account.name, name, role: member.role, options };
  }

  @Post('invitation/accept')
  @HttpCode(204)
  @Public(MANY)
  async join(
    @Body() { invitation, response }: JoinBody,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    assertOwnPage(request);
    const { record, member, invitationId } = await this.invitations.find(invitation);
    const owner = { tenantId: record.tenantId, memberId: member.memberId };
    const passkey = await this.passkeys.created(owner, response);
    const data = { memberId: member.memberId, invitationId, passkey };
    await this.commands.execute(new JoinAccount(record.tenantId, data, this.metadata(owner, request, 'member_joined')));
    await this.enter({ ...owner, credentialId: passkey.credentialId }, request, reply);
  }

  @Get('passkeys')
  @Public(MANY)
  async ownPasskeys(@Req() request: FastifyRequest): Promise<object> {
    assertOwnPage(request);
    const { member } = await this.present(request);
    return { passkeys: member.passkeys.map(({ credentialId, transports }) => ({ id: credentialId, transports })) };
  }

  @Post('passkeys/options')
  @HttpCode(200)
  @Public(MANY)
  async newPasskeyOptions(@Req() request: FastifyRequest): Promise<object> {
    assertOwnPage(request);
    const { owner, record, member } = await this.present(request);
    return this.passkeys.creationOptions(owner, await this.nameOf(record, member.memberId), member);
  }

  @Post('passkeys')
  @HttpCode(204)
  @Public(MANY)
  async addPasskey(@Body() { response }: PasskeyBody, @Req() request: FastifyRequest): Promise<void> {
    assertOwnPage(request);
    const { owner } = await this.present(request);
    const passkey = await this.passkeys.created(owner, response);
    const data = { memberId: owner.memberId, passkey };
    await this.commands.execute(new AddPasskey(owner.tenantId, data, this.metadata(owner, request, 'passkey_added')));
  }

  @Delete('passkeys/:passkey_id')
  @HttpCode(204)
  @Public(MANY)
  async removePasskey(@Param('passkey_id') credentialId: string, @Req() request: FastifyRequest): Promise<void> {
    assertOwnPage(request);
    const { owner } = await this.present(request);
    const data = { memberId: owner.memberId, credentialId };
    await this.commands.execute(
      new RemovePasskey(owner.tenantId, data, this.metadata(owner, request, 'passkey_removed')),
    );
  }

  /** The member whose session it is. */
  private async present(request: FastifyRequest) {
    const token = this.authenticator.sessionTokenIn(request.headers.cookie);
    const principal = token === undefined ? undefined : (await this.sessions.find(token))?.principal;
    if (principal?.kind !== 'member')
      throw refuse('forbidden', { detail: 'Passkeys belong to members: sign in as one' });
    const { tenantId, memberId } = principal;
    await this.authenticator.bySession(token ?? '', () => Promise.resolve());
    const record = await this.reader.require(tenantId);
    const member = record.account.members.get(memberId);
    invariant(member !== undefined, 'a session is of a member');
    return { owner: { tenantId, memberId }, record, member };
  }

  private async nameOf(record: AccountRecord, memberId: string): Promise<string> {
    return (await this.reader.open(record, record.people.get(memberId)?.name)) ?? memberId;
  }

  /** A member acts by itself, before there is a session that says so. */
  private metadata(
    { tenantId, memberId }: PasskeyOwner,
    request: FastifyRequest,
    action: AuditAction,
  ): AccountMetadata {
    const at = this.clock.now().toISOString();
    invariant(request.context !== undefined, 'each request has its context');
    const access = { ...request.context, actorId: memberId };
    const actor = { type: 'tenant', id: memberId } as const;
    const metadata = { requestId: request.id, commandId: newUuid(), actor, at };
    return withEntry(metadata, { tenantId, action, about: { memberId }, access });
  }

  private async enter(
    owner: PasskeyOwner & { readonly credentialId: string },
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const secure = isSecureConsole(this.config);
    const token = await this.sessions.begin({ principal: { kind: 'member', ...owner }, isDemo: false });
    await this.authenticator.bySession(token, () => Promise.resolve());
    for (const former of sessionTokensIn(request.headers.cookie, secure)) await this.sessions.end(former);
    reply.header('Set-Cookie', sessionCookie(token, MAX_MS / 1_000, secure));
  }
}
