import { CREDENTIAL_STATUSES, type RegisteredStatus } from '../../../projections/credentials/credentials.queries.js';
import { type Tier, TIERS } from '../../kernel/kyc.js';
import { BirthDateField } from '../../http/fields/birth-date.js';
import { EmailField, EnumField, PhoneField, TextField } from '../../http/fields.js';
import { IdentityIdField } from '../../http/fields/identity-id.js';
import { USUAL_BODY } from '../../http/server-options.js';
import { NameField } from '../../http/fields/name-field.js';
import { PageQuery } from '../../http/pagination.js';
import { PublicKeyField } from './public-key.field.js';

/** The body limit: a longer token is malformed, which is an answer. */
const MAX_TOKEN_LENGTH = USUAL_BODY;

export class IssueBody {
  @EmailField()
  email!: string;

  @PhoneField()
  phone_number!: string;

  @NameField({ description: 'Full legal name' })
  full_name!: string;

  @BirthDateField({ required: true })
  dob!: string;

  @EnumField(TIERS, { default: 'Tier1' })
  tier?: Tier;
}

export class VerifyBody {
  @TextField({
    max: MAX_TOKEN_LENGTH,
    takes: 'A token, as the issuance gave it',
    description: 'The JWT, or what a wallet presents (SD-JWT)',
  })
  token!: string;

  @PublicKeyField()
  public_key_pem!: string;

  @TextField({ optional: true, max: 256, description: 'Of a wallet: the nonce that you gave it; it counts once' })
  nonce?: string;

  @TextField({ optional: true, max: 1_024, description: 'Of a wallet: who you are to it, as you named yourself' })
  audience?: string;
}

export class RevocationBody {
  @TextField({ description: 'Why, in your words; kept encrypted' })
  reason!: string;
}

export class ChangeBody {
  @TextField({ optional: true, description: 'Why, in your words; kept encrypted' })
  reason?: string;
}

export class CredentialsQuery extends PageQuery {
  @EnumField(CREDENTIAL_STATUSES, { optional: true, description: 'Default all' })
  status?: RegisteredStatus;

  @IdentityIdField('Those of one person')
  identity_id?: string;
}
