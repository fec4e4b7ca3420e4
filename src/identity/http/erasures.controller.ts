import { Body, Controller, Inject, Post } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { type Clock } from '../../kernel/clock.js';
import { newUuid } from '../../kernel/ids.js';
import { Context, RequiresRole } from '../../http/access.js';
import { EmailField, PhoneField } from '../../http/fields.js';
import { noteChanges } from '../../http/operator-trail.js';
import { type OperatorPrincipal, type RequestContext } from '../../http/request-context.js';
import { RespondsWith } from '../../http/responses.js';
import { CLOCK } from '../../platform/tokens.js';
import { PersonErasure } from '../person-erasure.js';
import { ErasureReasonBody } from './reason.dto.js';

class PersonErasureBody extends ErasureReasonBody {
  @EmailField()
  email!: string;

  @PhoneField()
  phone_number!: string;
}

class ErasureReceipt {
  @ApiProperty({ format: 'uuid' })
  erasure_id!: string;

  @ApiProperty({ enum: ['erasing', 'completed'], description: 'completed: no account holds anything of the person' })
  status!: 'erasing' | 'completed';

  @ApiProperty({ type: 'integer', description: 'Accounts at which the erasure begins or is under way' })
  members!: number;
}

/** For persons who write to the deployment, since they do not know who attests them. */
@ApiTags('Operators')
@Controller('admin/erasures')
export class ErasuresController {
  constructor(
    private readonly erasure: PersonErasure,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Post()
  @RequiresRole('admin')
  @RespondsWith(202, {
    summary: 'Erase a person at every account that holds a record, without a grace period',
    description:
      'The accounts receive `identity.deleted` with `stage: "erased"`. Ingestions that failed or wait are erased, too. Repeat it until it says `completed`.',
    type: ErasureReceipt,
  })
  async erasePerson(
    @Body() { email, phone_number: phone, reason }: PersonErasureBody,
    @Context() context: RequestContext<OperatorPrincipal>,
  ): Promise<ErasureReceipt> {
    const erasureId = context.keyed?.effectId('erasure') ?? newUuid();
    const startedAt = this.clock.monotonic();
    const access = { requestId: erasureId, ipAddress: '', userAgent: '', actorId: 'system', startedAt };
    const repeated = context.keyed?.repeated === true;
    const members = await this.erasure.erase({ erasureId, email, phone, reason, repeated, access });
    noteChanges(context, [{ field: 'members', from: null, to: members }]);
    return { erasure_id: erasureId, status: members > 0 ? 'erasing' : 'completed', members };
  }
}
