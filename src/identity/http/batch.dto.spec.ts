import fc from 'fast-check';
import { systemClock } from '../../kernel/clock.js';
import { judgeBatch, MAX_DETAIL_LENGTH } from './batch.dto.js';

const valid = { email: 'Maria@Example.org ', phone_number: '+12025550123', full_name: 'Maria', kyc_status: 'APPROVED' };

const FIELDS = [
  'email',
  'phone_number',
  'full_name',
  'date_of_birth',
  'kyc_status',
  'tier',
  'document_reference',
  'data_source_id',
  'external_id',
  'kyc_expires_at',
  'extra_data',
];

describe('a batch', () => {
  it('takes its valid records whatever the others are, and tells of those by place, code and field', () => {
    const { records, errors } = judgeBatch(
      {
        records: [{ ...valid, email: 'nothing' }, valid, null, { email: valid.email, kyc_status: 'SURE' }],
      },
      systemClock,
    );
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

  it('takes an external_id once, and names refused records by theirs', () => {
    const named = (external_id: unknown, changes: object = {}) => ({ ...valid, ...changes, external_id });
    const { records, errors, faults, refusedIds } = judgeBatch(
      { records: [named('a'), named('b', { email: 'nothing' }), named('a'), named('b'), named(7), valid] },
      systemClock,
    );
    expect(records.map(({ recordIndex, personal }) => [recordIndex, personal.external_id])).toEqual([
      [0, 'a'],
      [3, 'b'],
      [5, undefined],
    ]);
    expect(errors.map(({ recordIndex }) => recordIndex)).toEqual([1, 2, 4]);
    expect(faults[1]).toMatchObject({ field: 'records[2].external_id', detail: expect.stringContaining('records[0]') });
    expect([...refusedIds]).toEqual([
      [1, 'b'],
      [2, 'a'],
    ]);
  });

  it('names every field at fault in what is kept, and says what it takes where there is room', () => {
    fc.assert(
      fc.property(fc.subarray(FIELDS, { minLength: 1 }), (faulty) => {
        const record = { ...valid, ...Object.fromEntries(faulty.map((name) => [name, 1])) };
        const [error] = judgeBatch({ records: [record, valid] }, systemClock).errors;
        expect(error?.detail.length).toBeLessThanOrEqual(MAX_DETAIL_LENGTH);
        for (const name of faulty) expect(error?.detail).toContain(name);
      }),
    );
    const [one] = judgeBatch({ records: [{ ...valid, kyc_expires_at: 'soon' }] }, systemClock).errors;
    expect(one?.detail).toBe('kyc_expires_at: An ISO 8601 timestamp with offset');
  });

  it('without a valid record names every field of every record at fault, by the code of its own', () => {
    const { records, faults } = judgeBatch(
      {
        records: [
          { ...valid, email: 'nothing', phone_number: '1' },
          7,
          { email: 'x', full_name: 'Maria', phone_number: '1' },
        ],
      },
      systemClock,
    );
    expect(records).toEqual([]);
    expect(faults.map(({ field, code }) => [field, code])).toEqual([
      ['records[0].email', 'INVALID_EMAIL'],
      ['records[0].phone_number', 'INVALID_PHONE'],
      ['records[1]', 'INVALID_FIELD'],
      ['records[2].email', 'INVALID_EMAIL'],
      ['records[2].phone_number', 'INVALID_PHONE'],
      ['records[2].kyc_status', 'MISSING_FIELD'],
    ]);
  });

  it('keeps extra_data as it is, whatever its members are called, and touches no prototype', () => {
    const name = fc.oneof(fc.constantFrom('__proto__', 'constructor', 'prototype', 'toJSON', 'polluted'), fc.string());
    const { extra } = fc.letrec<{ extra: string; value: string }>((tie) => ({
      extra: fc
        .array(fc.tuple(name, tie('value')), { maxLength: 4 })
        .map((members) => `{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`),
      value: fc.oneof({ maxDepth: 3 }, fc.constantFrom('1', 'null', '"x"', '[{"__proto__":[]}]'), tie('extra')),
    }));
    fc.assert(
      fc.property(extra, (text) => {
        const sent: unknown = JSON.parse(
          `{${JSON.stringify(valid).slice(1, -1)},"__proto__":{"tier":"Tier3"},"extra_data":${text}}`,
        );
        const [record] = judgeBatch({ records: [sent, null] }, systemClock).records;
        expect(JSON.stringify(record?.personal.extra_data)).toBe(JSON.stringify(JSON.parse(text)));
        expect(record?.tier).toBe('Tier1');
        expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
      }),
      { numRuns: 1_000 },
    );
  });

  it('refuses, with the record alone, extra_data whose numbers would not survive', () => {
    const sent: unknown[] = ['1e400', '-1e400', '[12345678901234567890]', '9007199254740992'].map((number) =>
      JSON.parse(`{${JSON.stringify(valid).slice(1, -1)},"extra_data":{"n":${number}}}`),
    );
    const { records, errors } = judgeBatch(
      {
        records: [...sent, { ...valid, extra_data: { n: 9_007_199_254_740_991 } }],
      },
      systemClock,
    );
    expect(records.map(({ recordIndex }) => recordIndex)).toEqual([4]);
    expect(errors.map(({ code }) => code)).toEqual(Array(4).fill('INVALID_FIELD'));
    expect(errors[0]?.detail).toMatch(/^extra_data: .*text/);
  });

  it('never repeats what was sent in an error', () => {
    const { errors } = judgeBatch(
      {
        records: [
          { ...valid, email: 'secret text' },
          { ...valid, phone_number: '555 secret' },
        ],
      },
      systemClock,
    );
    expect(JSON.stringify(errors)).not.toContain('secret');
  });

  it('refuses a timestamp that its offset carries out of the years that can be stored', () => {
    const expiring = (kyc_expires_at: string) => ({ ...valid, kyc_expires_at });
    const { records, errors } = judgeBatch(
      {
        records: [
          expiring('9999-12-31T23:59:59-01:00'),
          expiring('0001-01-01T00:30:00+01:00'),
          expiring('9999-12-31T23:59:59Z'),
        ],
      },
      systemClock,
    );
    expect(errors.map(({ recordIndex, code }) => [recordIndex, code])).toEqual([
      [0, 'INVALID_DATE'],
      [1, 'INVALID_DATE'],
    ]);
    expect(records[0]?.tier).toBe('Tier1');
  });

  it('refuses a record of somebody not yet born, or born before anybody who lives, by the clock that it is given', () => {
    const clock = { now: () => new Date('2026-11-22T09:00:00Z') };
    const bornOn = (date_of_birth: string) => ({ ...valid, date_of_birth });
    const { records, errors } = judgeBatch(
      { records: [bornOn('2026-11-23'), bornOn('1899-12-31'), bornOn('2026-11-22')] },
      clock,
    );
    expect(errors.map(({ recordIndex, code }) => [recordIndex, code])).toEqual([
      [0, 'INVALID_DATE'],
      [1, 'INVALID_DATE'],
    ]);
    expect(records.map(({ recordIndex }) => recordIndex)).toEqual([2]);
  });
});
