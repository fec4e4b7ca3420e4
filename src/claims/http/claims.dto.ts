import { EmailField, EnumField, ListField, PhoneField } from '../../http/fields.js';
import { IdentityIdField } from '../../http/fields/identity-id.js';
import { PageQuery } from '../../http/pagination.js';
import { CLAIM_FIELDS, CLAIM_PURPOSES, type ClaimField, type ClaimPurpose } from '../domain/claims.events.js';

export class ClaimBody {
  @EmailField()
  email!: string;

  @PhoneField()
  phone_number!: string;

  @EnumField(CLAIM_PURPOSES)
  purpose!: ClaimPurpose;
}

export class ApprovalBody {
  @ListField({ of: CLAIM_FIELDS, maxItems: CLAIM_FIELDS.length, description: 'The fields that the asker may read' })
  fields!: ClaimField[];
}

export class ListClaimsQuery extends PageQuery {
  @EnumField(['asker', 'holder'], {
    default: 'asker',
    description: 'asker: claims that the account made; holder: claims on its identities',
  })
  role: 'asker' | 'holder' = 'asker';

  @IdentityIdField('As holder: claims on this identity')
  identity_id?: string;
}
