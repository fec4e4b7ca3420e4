import { ANNOUNCEMENT_TYPES, ANNOUNCEMENTS } from '../../kernel/contract.js';
import { schemaOf } from './announced-schema.js';

describe('the data of announcements', () => {
  it('is described for every type, and each optional member is shown', () => {
    expect(Object.keys(ANNOUNCEMENTS).sort()).toEqual([...ANNOUNCEMENT_TYPES].sort());
    for (const { example, optional = [] } of Object.values(ANNOUNCEMENTS)) {
      expect(optional.filter((name) => !(name in example))).toEqual([]);
    }
  });

  it('has a schema that its example tells', () => {
    expect(schemaOf('billing.low_balance')).toMatchObject({
      type: 'object',
      required: ['current_balance', 'threshold', 'severity'],
      properties: { current_balance: { type: 'integer' }, severity: { type: 'string' } },
    });
    expect(schemaOf('ingestion.failed')).toMatchObject({
      properties: { errors: { type: 'array', items: { type: 'object', properties: { code: { type: 'string' } } } } },
    });
    expect(schemaOf('billing.auto_recharge_failed')).toMatchObject({
      properties: { failures: { type: ['integer', 'null'] } },
    });
    expect(schemaOf('identity.deleted')).toMatchObject({ required: ['identity_id', 'stage', 'deleted_at'] });
  });
});
