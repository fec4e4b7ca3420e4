import { BooleanField, EnumField } from '../../../http/fields.js';
import { PageQuery } from '../../../http/pagination.js';
import { OFFER_STATUSES, type OfferStatus } from '../../domain/offer.events.js';
import { IssueBody } from '../../http/credentials.dto.js';

export class OfferBody extends IssueBody {
  @BooleanField({
    optional: true,
    description: 'Whether the person must enter a code; you give it to them another way',
  })
  tx_code?: boolean;
}

export class OffersQuery extends PageQuery {
  @EnumField(OFFER_STATUSES, { optional: true, description: 'Default all' })
  status?: OfferStatus;
}
