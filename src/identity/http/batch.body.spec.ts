import { judgeBatch } from './batch.body.js';

const valid = { email: 'Maria@Example.org ', phone_number: '+12025550123', full_name: 'Maria', kyc_status: 'APPROVED' };

describe('a batch', () => {
  it('takes its valid records whatever the others are, and tells of those by place, code and field', () => {
    const { records, errors } = judgeBatch({
      records: [{ ...valid, email: 'nothing' }, valid, null, { email: valid.email, kyc_status: 'SURE' }],
    });
    expect(records.map(({ recordIndex, personal }) => [recordIndex, personal.email])).toEqual([
      [1, 'maria@example.org'],
    ]);
    expect(errors.map(({ recordIndex, code }) => [recordIndex, code])).toEqual([
      [0, 'INVALID_EMAIL'],
      [2, 'INVALID_FIELD'],
      [3, 'MISSING_FIELD'],
    ]);
    expect(errors[2]?.detail).toMatch(/phone_number.*full_name.*kyc_status/);
  });

  it('never repeats what was sent in an error', () => {
    const { errors } = judgeBatch({
      records: [
        { ...valid, email: 'secret text' },
        { ...valid, phone_number: '555 secret' },
      ],
    });
    expect(JSON.stringify(errors)).not.toContain('secret');
  });

  it('refuses a timestamp that its offset carries out of the years that can be stored', () => {
    const expiring = (kyc_expires_at: string) => ({ ...valid, kyc_expires_at });
    const { records, errors } = judgeBatch({
      records: [
        expiring('9999-12-31T23:59:59-01:00'),
        expiring('0001-01-01T00:30:00+01:00'),
        expiring('9999-12-31T23:59:59Z'),
      ],
    });
    expect(errors.map(({ recordIndex, code }) => [recordIndex, code])).toEqual([
      [0, 'INVALID_DATE'],
      [1, 'INVALID_DATE'],
    ]);
    expect(records[0]?.tier).toBe('Tier1');
  });
});
