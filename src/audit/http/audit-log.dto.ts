import { AUDIT_ACTIONS, AUDIT_RESULTS, type AuditAction, type AuditResult } from '../../kernel/contract.js';
import { MAX_PROOFS } from '../../kernel/event-proofs.js';
import {
  BooleanField,
  ChoicesField,
  EmailField,
  IntegerField,
  PhoneField,
  RangeEdgeField,
  TextField,
} from '../../http/fields.js';
import { IdentityIdField } from '../../http/fields/identity-id.js';

export class AuditLogQuery {
  @RangeEdgeField('start', { optional: true, description: 'Inclusive; default 30 days ago' })
  start_date?: Date;

  @RangeEdgeField('end', {
    optional: true,
    defaultDays: 30,
    description: 'Exclusive; a bare date is a whole UTC day; default now',
  })
  end_date?: Date;

  @ChoicesField(AUDIT_ACTIONS, {
    optional: true,
    all: true,
    description: 'One or several, with commas or repeated; default all',
  })
  action?: AuditAction[];

  @ChoicesField(AUDIT_RESULTS, {
    optional: true,
    all: true,
    description: 'One or several, with commas or repeated; default all',
  })
  result?: AuditResult[];

  @TextField({
    optional: true,
    pattern: /^([0-9A-Za-z]{8}|mbr_[0-9a-z]{26}|token|service)$/,
    takes: 'The id of an API key or a member, token or service',
    description: 'Whose accesses: of one API key or member by its id, of bearer tokens, or of the service itself',
  })
  actor?: string;

  @TextField({ optional: true, max: 64, description: 'The entries of one request' })
  request_id?: string;

  @IdentityIdField('The entries about the person of one of your identities')
  identity_id?: string;

  @IntegerField({ min: 1, max: 1_000, optional: true, description: 'Default 100; of CSV and NDJSON all entries' })
  limit?: number;

  @IntegerField({ min: 0, max: Number.MAX_SAFE_INTEGER, optional: true, description: 'Default 0; not with cursor' })
  offset?: number;

  @TextField({
    optional: true,
    max: 100,
    description: 'The next_cursor of the page before; new entries do not shift it',
  })
  cursor?: string;

  @BooleanField({
    optional: true,
    description: `With true, each entry of a JSON answer carries its proof; limit then at most ${MAX_PROOFS}`,
  })
  proof?: boolean;
}

/** A search may name a person, who must not stand in a URL. */
export class AuditLogSearch extends AuditLogQuery {
  @EmailField({ optional: true, description: 'Together with phone_number: the entries about this person' })
  email?: string;

  @PhoneField({ optional: true, description: 'Together with email' })
  phone_number?: string;
}
