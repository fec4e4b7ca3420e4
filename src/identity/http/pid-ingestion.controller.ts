import { Body, Controller, Headers, HttpCode, Inject, Param, Post, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import { type Clock } from '../../kernel/clock.js';
import { IdentifiedPersons } from '../../kernel/identified-persons.js';
import { KYC_STATUSES, type KycStatus, type Tier, TIERS } from '../../kernel/kyc.js';
import { refuse } from '../../kernel/rejection.js';
import { Context, RequiresKey } from '../../http/access.js';
import { EmailField, EnumField, PhoneField, TextField, TimestampField } from '../../http/fields.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { RespondsWith } from '../../http/responses.js';
import { asFailure, validate } from '../../http/validate.js';
import { KeyedHashes } from '../../platform/crypto/vault.js';
import { CLOCK } from '../../platform/tokens.js';
import { IngestionStatuses } from '../ingestion-statuses.js';
import { IngestionAcknowledgement, toAcknowledgement } from './ingestion.response.js';
import { TakesPreferredWait, waitAsPreferred } from './prefer-wait.js';
import { MAX_EXTERNAL_ID_LENGTH, RecordBody, singleIngestion } from './record.dto.js';

/** What a PID does not say. */
class PidIngestionBody {
  @EnumField(KYC_STATUSES)
  kyc_status!: KycStatus;

  @EnumField(TIERS, { default: 'Tier1' })
  tier?: Tier;

  @EmailField({ optional: true, description: 'Needed where the wallet showed none' })
  email?: string;

  @PhoneField({ optional: true, description: 'Needed where the wallet showed none' })
  phone_number?: string;

  @TextField({ optional: true, description: "Identifier of the caller's data source" })
  data_source_id?: string;

  @TextField({ optional: true, max: MAX_EXTERNAL_ID_LENGTH, description: "The caller's own id of the record" })
  external_id?: string;

  @TimestampField({ optional: true, description: 'When the verification expires' })
  kyc_expires_at?: Date;
}

/** Takes in a person who a wallet identified. */
@ApiTags('Ingestion')
@Controller('api/v1/verify/request')
export class PidIngestionController {
  constructor(
    private readonly commands: CommandBus,
    private readonly persons: IdentifiedPersons,
    private readonly hashes: KeyedHashes,
    private readonly statuses: IngestionStatuses,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Post(':presentation_id/ingest')
  @HttpCode(202)
  @RequiresKey('ingest')
  @TakesPreferredWait()
  @RespondsWith(202, {
    summary: 'Take in the person that a PID identifies, with the PID as evidence',
    type: IngestionAcknowledgement,
    refuses: ['CONFLICT'],
  })
  async ingestPid(
    @Param('presentation_id') id: string,
    @Body() body: PidIngestionBody,
    @Context() context: RequestContext<TenantPrincipal>,
    @Headers('prefer') prefer: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<IngestionAcknowledgement> {
    const { tenantId } = context.principal;
    const record = this.recordOf(body, await this.persons.recordOf(tenantId, id));
    await this.persons.bindPerson(tenantId, id, this.hashes.identityHash(record.email, record.phone_number));
    const accepted = await this.commands.execute(singleIngestion(record, context));
    await waitAsPreferred(this.statuses, { tenantId, ingestionId: accepted.ingestionId, prefer, reply });
    return toAcknowledgement(accepted);
  }

  /** What the wallet showed outranks the caller, who must not contradict it. */
  private recordOf(body: PidIngestionBody, shown: Readonly<Record<string, unknown>>): RecordBody {
    const { kyc_expires_at: expiresAt, ...given } = body;
    const ends = expiresAt === undefined ? {} : { kyc_expires_at: expiresAt.toISOString() };
    const { value, faults } = validate(RecordBody, { ...given, ...ends, ...shown }, this.clock);
    const unfit = faults?.find(({ field }) => Object.hasOwn(shown, field));
    if (unfit !== undefined)
      throw refuse('presentation_state_conflict', {
        detail: `What the wallet showed fits no record. ${unfit.field}: ${unfit.detail}`,
      });
    if (faults !== undefined) throw asFailure(faults);
    for (const field of ['email', 'phone_number'] as const)
      if (body[field] !== undefined && body[field] !== value[field])
        throw refuse('invalid_field', { field, detail: `${field} must be what the wallet showed, or absent` });
    return value;
  }
}
