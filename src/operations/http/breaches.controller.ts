import { Controller, Get, Inject, Param, Post } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { type Clock } from '../../kernel/clock.js';
import { Context, RequiresRole } from '../../http/access.js';
import { noteChanges } from '../../http/operator-trail.js';
import { type OperatorPrincipal, type RequestContext } from '../../http/request-context.js';
import { RespondsWith } from '../../http/responses.js';
import { CLOCK } from '../../platform/tokens.js';
import { type Breach, Breaches } from '../breaches.js';

class BreachAnswer {
  @ApiProperty({ format: 'uuid' }) breach_id!: string;
  @ApiProperty({ format: 'date-time' }) since!: string;
  @ApiProperty({ format: 'date-time' }) until!: string;
  @ApiProperty({ format: 'date-time' }) noted_at!: string;
  @ApiProperty({ format: 'date-time', description: '72 hours after noted_at' }) due_at!: string;
  @ApiProperty({ type: 'integer' }) accounts!: number;
  @ApiProperty({ type: 'integer' }) persons!: number;
}

class BreachesAnswer {
  @ApiProperty({ type: [BreachAnswer], description: 'The soonest due first' }) breaches!: BreachAnswer[];
}

class BreachNotifiedAnswer {
  @ApiProperty({ format: 'uuid' }) breach_id!: string;
  @ApiProperty({ enum: ['notified'] }) status!: 'notified';
}

const shown = ({ breachId, since, until, notedAt, dueAt, accounts, persons }: Breach): BreachAnswer => ({
  breach_id: breachId,
  since,
  until,
  noted_at: notedAt,
  due_at: dueAt,
  accounts,
  persons,
});

/** Breaches of personal data whose clock runs. `npm run incident -- breach` starts one. */
@ApiTags('Operators')
@Controller('admin/breaches')
export class BreachesController {
  constructor(
    private readonly breaches: Breaches,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @RequiresRole('security', 'admin')
  @RespondsWith(200, { summary: 'Breaches that the authority was not yet notified of', type: BreachesAnswer })
  async listBreaches(): Promise<BreachesAnswer> {
    return { breaches: (await this.breaches.open()).map(shown) };
  }

  @Post(':breach_id/notified')
  @RequiresRole('admin')
  @RespondsWith(200, {
    summary: 'Note that the authority was notified, which stops the clock',
    type: BreachNotifiedAnswer,
  })
  async noteNotification(
    @Param('breach_id') breachId: string,
    @Context() context: RequestContext<OperatorPrincipal>,
  ): Promise<BreachNotifiedAnswer> {
    const actor = { type: 'operator', id: context.principal.subjectHash } as const;
    await this.breaches.notified(breachId, this.clock.now(), { requestId: context.requestId, actor });
    noteChanges(context, [{ field: 'status', from: 'open', to: 'notified' }]);
    return { breach_id: breachId, status: 'notified' };
  }
}
