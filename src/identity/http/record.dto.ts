import { KYC_STATUSES, type KycStatus, type Tier, TIERS } from '../../kernel/kyc.js';
import { BirthDateField } from '../../http/fields/birth-date.js';
import { EmailField, EnumField, ObjectField, PhoneField, TextField, TimestampField } from '../../http/fields.js';
import { NameField } from '../../http/fields/name-field.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { newUuid } from '../../kernel/ids.js';
import { AcceptIngestion, type SuppliedRecord } from '../commands.js';

/** Characters. */
export const MAX_EXTERNAL_ID_LENGTH = 128;
const EXTRA_DATA = { maxBytes: 16 * 1_024, maxDepth: 10 };

/** An identity record as supplied by a tenant (docs/contract.md, Ingestion). */
export class RecordBody {
  @EmailField()
  email!: string;

  @PhoneField()
  phone_number!: string;

  @NameField({ description: 'Full legal name' })
  full_name!: string;

  @BirthDateField()
  date_of_birth?: string;

  @EnumField(KYC_STATUSES)
  kyc_status!: KycStatus;

  @EnumField(TIERS, { default: 'Tier1' })
  tier?: Tier;

  @TextField({ optional: true, description: 'Reference to the evidence document' })
  document_reference?: string;

  @TextField({ optional: true, description: "Identifier of the caller's data source" })
  data_source_id?: string;

  @TextField({
    optional: true,
    max: MAX_EXTERNAL_ID_LENGTH,
    description: "The caller's own id of the record, unique in a batch. Statuses and events name it",
  })
  external_id?: string;

  @TimestampField({ optional: true, description: 'When the verification expires' })
  kyc_expires_at?: Date;

  @ObjectField(EXTRA_DATA, { optional: true, description: 'Free-form data of the caller, kept as it is' })
  extra_data?: Record<string, unknown>;
}

export const suppliedRecord = (recordIndex: number, body: RecordBody): SuppliedRecord => ({
  recordIndex,
  personal: {
    email: body.email,
    phone_number: body.phone_number,
    full_name: body.full_name,
    ...(body.date_of_birth === undefined ? {} : { date_of_birth: body.date_of_birth }),
    ...(body.document_reference === undefined ? {} : { document_reference: body.document_reference }),
    ...(body.data_source_id === undefined ? {} : { data_source_id: body.data_source_id }),
    ...(body.external_id === undefined ? {} : { external_id: body.external_id }),
    ...(body.extra_data === undefined ? {} : { extra_data: body.extra_data }),
  },
  kycStatus: body.kyc_status,
  tier: body.tier ?? 'Tier1',
  kycExpiresAt: body.kyc_expires_at,
});

/** The command that takes in one record for the caller. */
export const singleIngestion = (body: RecordBody, context: RequestContext<TenantPrincipal>): AcceptIngestion =>
  new AcceptIngestion({
    tenantId: context.principal.tenantId,
    ingestionId: context.keyed?.effectId('ingestion') ?? newUuid(),
    kind: 'single',
    recordsReceived: 1,
    records: [suppliedRecord(0, body)],
    errors: [],
    access: context,
  });
