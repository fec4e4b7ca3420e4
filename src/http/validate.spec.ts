import fc from 'fast-check';
import { systemClock } from '../kernel/clock.js';
import { BirthDateField } from './fields/birth-date.js';
import {
  BooleanField,
  DateField,
  EmailField,
  EnumField,
  IntegerField,
  ListField,
  ObjectField,
  PhoneField,
  RangeEdgeField,
  TextField,
  TimestampField,
  UrlField,
} from './fields.js';
import { HttpFailure } from './failure.js';
import { asFailure, FieldsPipe, validate } from './validate.js';

class Everything {
  @EmailField() email!: string;
  @PhoneField() phone_number!: string;
  @TextField() full_name!: string;
  @DateField({ optional: true }) date_of_birth?: string;
  @EnumField(['APPROVED', 'REJECTED'], { default: 'APPROVED' }) kyc_status = 'APPROVED';
  @TimestampField({ optional: true }) kyc_expires_at?: Date;
  @RangeEdgeField('start', { optional: true }) start_date?: Date;
  @RangeEdgeField('end', { optional: true }) end_date?: Date;
  @ObjectField({ maxBytes: 64, maxDepth: 3 }, { optional: true }) extra_data?: Record<string, unknown>;
  @UrlField({ optional: true }) url?: string;
  @ListField({ of: ['a', 'b'], optional: true }) include?: string[];
  @BooleanField({ optional: true }) enabled?: boolean;
  @IntegerField({ min: 1, max: 1_000, optional: true }) limit?: number;
  @IntegerField({ min: -5, max: 5, nonZero: true, optional: true }) amount?: number;
}

const VALID = { email: 'a@example.org', phone_number: '+12025550123', full_name: 'Ana' };

const codeOf = (member: string, value: unknown): string | undefined =>
  validate(Everything, { ...VALID, [member]: value }, systemClock).faults?.find(({ field }) => field === member)?.code;

const valueOf = (member: keyof Everything, value: unknown): unknown =>
  validate(Everything, { ...VALID, [member]: value }, systemClock).value?.[member];

describe('fields', () => {
  it.each([
    [
      'email',
      'Maria@EXAMPLE.org',
      ' ana.b+c@sub.example.co.uk ',
      'jos\u00e9@example.org',
      `${'a'.repeat(64)}@example.org`,
    ],
    ['phone_number', '+12025550123', '+447700900123', '+390612345678', '+8613912345678', '+4915112345678'],
    [
      'full_name',
      '\u041c\u0430\u0440\u0438\u044f',
      '\u0645\u0631\u064a\u0645',
      '\ud83d\ude00'.repeat(512),
      'x'.repeat(512),
      "O'Neil-J\u00f8rgensen",
    ],
    ['date_of_birth', '2000-02-29', '1900-01-01', '0001-01-01', '9999-12-31'],
    ['kyc_status', 'APPROVED', 'REJECTED'],
    [
      'kyc_expires_at',
      '2027-01-31T12:00:00Z',
      '2027-01-31T12:00:00.123456+05:30',
      '2024-02-29t00:00:00z',
      '2027-01-01T00:00+00:00',
      '2027-01-31T12:00Z',
    ],
    [
      'extra_data',
      {},
      { a: { b: { c: 1 } } },
      { a: [[1]] },
      { constructor: 1 },
      { a: Number.MAX_SAFE_INTEGER },
      { a: -0.1e-9 },
    ],
    ['url', 'http://localhost:3000/ok', 'https://example.org/a?b=c#d'],
    ['include', ['a'], ['b', 'a']],
    ['enabled', true, false],
    ['limit', 1, 1_000],
    ['amount', -5, -1, 1, 5],
  ])('%s takes what is valid', (member, ...values) => {
    for (const value of values) expect([value, codeOf(member, value)]).toEqual([value, undefined]);
  });

  it.each([
    [
      'email',
      'INVALID_EMAIL',
      '',
      ' ',
      'a',
      'a@',
      '@b.cd',
      'a@b',
      'a b@c.de',
      'a@b..cd',
      'a@@b.cd',
      `${'a'.repeat(65)}@b.cd`,
      `a@${'b'.repeat(300)}.cd`,
      'a\0@b.cd',
      'a\u202eb@c.de',
      'a\u200bb@c.de',
      'a@b\u200d.cd',
      'a\u2060@b.cd',
      'a\u00ad@b.cd',
      'a\u3000b@c.de',
      'a\u3164@b.cd',
      '"a\u0007"@b.cd',
      7,
      true,
      {},
      [],
      ['a@b.cd'],
    ],
    [
      'phone_number',
      'INVALID_PHONE',
      '',
      '12025550123',
      '+1 2025550123',
      '+1-202-555-0123',
      '+1202555012',
      '+120255501234',
      '+9991234567',
      '+',
      '+0123456789',
      '+44077009001234',
      '+\u0661\u0662\u0663',
      '+12025550123\n',
      12025550123,
      {},
    ],
    ['full_name', 'INVALID_FIELD', '', '  ', 'x'.repeat(513), '\ud83d\ude00'.repeat(513), 'a\0b', '\ud800', 5, {}, []],
    [
      'date_of_birth',
      'INVALID_DATE',
      '',
      '2001-02-29',
      '2000-02-30',
      '2000-13-01',
      '2000-00-10',
      '0000-01-01',
      '2000-1-1',
      '20000101',
      '2000-01-01T00:00:00Z',
      ' 2000-01-01',
      '\u0662000-01-01',
      20000101,
      {},
    ],
    ['kyc_status', 'INVALID_FIELD', '', 'approved', 'toString', 1, ['APPROVED']],
    [
      'kyc_expires_at',
      'INVALID_DATE',
      '2027-01-31',
      '2027-01-31T12:00:00',
      '2027-02-30T12:00:00Z',
      '2027-01-31T24:00:00Z',
      '2027-01-31T12:60:00Z',
      '2027-01-31 12:00:00Z',
      '2027-01-31T12Z',
      '2027-01-31T12:00',
      '2027-01-31T12:00.5Z',
      '2027-01-31T12:60Z',
      1_800_000_000,
      {},
    ],
    [
      'extra_data',
      'INVALID_FIELD',
      'x',
      1,
      [],
      JSON.parse('{"a":1e400}'),
      JSON.parse('{"a":[{"b":-1e400}]}'),
      JSON.parse('{"a":9007199254740993}'),
      { a: [-(2 ** 53)] },
      { a: { b: { c: {} } } },
      { a: 'x'.repeat(60) },
      { a: 'b\0' },
      { 'a\0': 'b' },
      { a: [{ b: '\ud800' }] },
      { '\udc00a': {} },
    ],
    [
      'url',
      'INVALID_FIELD',
      'example.org',
      '/path',
      'ftp://example.org',
      'javascript:alert(1)',
      'http://',
      'https:/example.org',
      'https:\\\\example.org',
      ' https://example.org',
      'https://example.org/a b',
      'https://user:secret@example.org',
      `http://a.bc/${'x'.repeat(512)}`,
      1,
    ],
    ['include', 'INVALID_FIELD', [], ['c'], ['a', 'a'], 'a', [1], {}],
    ['enabled', 'INVALID_FIELD', 'true', 0, 1, {}],
    ['limit', 'INVALID_FIELD', 0, 1_001, 1.5, '5', Number.NaN, true],
    ['amount', 'INVALID_FIELD', 0, -0, -6, 6],
  ])('%s refuses what is not, with %s', (member, code, ...values) => {
    for (const value of values) expect([value, codeOf(member, value)]).toEqual([value, code]);
  });

  it('reads e-mail addresses normalised and times as moments', () => {
    expect(valueOf('email', '  JOSE\u0301@Example.org ')).toBe('jos\u00e9@example.org');
    expect(valueOf('kyc_expires_at', '2027-01-31T12:00:00.5+02:00')).toEqual(new Date('2027-01-31T10:00:00.500Z'));
    expect(valueOf('start_date', '2026-11-01')).toEqual(new Date('2026-11-01T00:00:00Z'));
    expect(valueOf('end_date', '2026-12-31')).toEqual(new Date('2027-01-01T00:00:00Z'));
    expect(valueOf('end_date', '2026-12-31T10:00:00Z')).toEqual(new Date('2026-12-31T10:00:00Z'));
  });

  it('takes numbers and booleans out of text, and only out of query strings', () => {
    const { value } = validate(Everything, { ...VALID, limit: '250', enabled: 'true' }, systemClock, 'text');
    expect(value).toMatchObject({ limit: 250, enabled: true });
    for (const limit of ['', ' 5', '5.0', '1e2', '0x10', '05', '+5', '9'.repeat(40), ['5', '6']]) {
      expect(validate(Everything, { ...VALID, limit }, systemClock, 'text').faults).toHaveLength(1);
    }
  });
});

describe('validation', () => {
  it('ignores unknown members and fills in defaults; null counts as absent', () => {
    const { value } = validate(
      Everything,
      { ...VALID, unknown: 1, tier: 'x', kyc_status: null, date_of_birth: null },
      systemClock,
    );
    expect(value).toMatchObject({ ...VALID, kyc_status: 'APPROVED' });
    expect(value).not.toHaveProperty('unknown');
    expect(value?.date_of_birth).toBeUndefined();
  });

  it('does not take inherited members for given ones', () => {
    expect(validate(Everything, Object.create(VALID) as Record<string, unknown>, systemClock).faults).toHaveLength(3);
  });

  it('lets a missing field outrank an invalid one, and names every field at fault', () => {
    const { faults } = validate(Everything, { email: 'x', phone_number: null, limit: 0 }, systemClock);
    const failure = asFailure(faults ?? []);
    expect(failure).toMatchObject({ status: 400, code: 'MISSING_FIELD' });
    expect(failure.extra.errors?.map(({ field, code }) => [field, code])).toEqual([
      ['email', 'INVALID_EMAIL'],
      ['phone_number', 'MISSING_FIELD'],
      ['full_name', 'MISSING_FIELD'],
      ['limit', 'INVALID_FIELD'],
    ]);
  });

  it('answers the code of the first invalid field where none is missing', () => {
    const { faults } = validate(Everything, { ...VALID, phone_number: '1', limit: 0 }, systemClock);
    expect(asFailure(faults ?? [])).toMatchObject({ status: 422, code: 'INVALID_PHONE' });
  });

  it('never says the value at fault', () => {
    const secret = 'maria.secret';
    const raw = Object.fromEntries(Object.keys(new Everything()).map((name) => [name, secret]));
    const { faults } = validate(Everything, raw, systemClock);
    expect(JSON.stringify(faults)).not.toContain(secret);
  });

  it('gives a value or a refusal for any JSON at all, and never another error', () => {
    const members = [
      'email',
      'phone_number',
      'full_name',
      'date_of_birth',
      'kyc_expires_at',
      'extra_data',
      'url',
      'include',
      'limit',
    ];
    const member = fc.oneof(fc.constantFrom(...members), fc.string());
    const value = fc.oneof(
      fc.jsonValue(),
      fc.string({ unit: 'binary' }),
      fc.emailAddress(),
      fc.date().map(String),
      fc.webUrl(),
      fc.constantFrom(...Object.values(VALID)),
    );
    const pipe = new FieldsPipe(systemClock);
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(member, value)), (body) => {
        try {
          expect(pipe.transform(body, { type: 'body', metatype: Everything })).toBeInstanceOf(Everything);
        } catch (error) {
          expect(error).toBeInstanceOf(HttpFailure);
          expect([400, 422]).toContain((error as HttpFailure).status);
        }
      }),
      { numRuns: 5_000 },
    );
  });

  it('takes a real date exactly where Date agrees with it', () => {
    const part = (max: number): fc.Arbitrary<string> =>
      fc.integer({ min: 0, max }).map((number) => String(number).padStart(2, '0'));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9_999 }), part(14), part(33), (year, month, day) => {
        const text = `${String(year).padStart(4, '0')}-${month}-${day}`;
        const date = new Date(`${text}T00:00:00Z`);
        const real = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
        expect(codeOf('date_of_birth', text) === undefined).toBe(real);
      }),
    );
  });
});

describe('a date of birth', () => {
  class Born {
    @BirthDateField() on?: string;
  }
  const codeAt = (now: string, on: string): string | undefined =>
    validate(Born, { on }, { now: () => new Date(now) }).faults?.[0]?.code;

  it.each([
    ['2026-11-22T09:59:59.999Z', '2026-11-22', undefined],
    ['2026-11-22T09:59:59.999Z', '2026-11-23', 'INVALID_DATE'],
    ['2026-11-22T10:00:00.000Z', '2026-11-23', undefined],
    ['2026-11-22T23:59:59.999Z', '2026-11-24', 'INVALID_DATE'],
    ['2026-12-31T10:00:00.000Z', '2027-01-01', undefined],
    ['2026-11-22T10:00:00.000Z', '1900-01-01', undefined],
    ['2026-11-22T10:00:00.000Z', '1899-12-31', 'INVALID_DATE'],
    ['2026-11-22T10:00:00.000Z', '0001-01-01', 'INVALID_DATE'],
    ['2026-11-22T10:00:00.000Z', '9999-12-31', 'INVALID_DATE'],
    ['2026-11-22T10:00:00.000Z', '2025-02-29', 'INVALID_DATE'],
  ])('lies between 1900 and the day that it is somewhere on Earth: at %s, %s', (now, on, code) =>
    expect(codeAt(now, on)).toBe(code),
  );
});

describe('a range', () => {
  class Range {
    @RangeEdgeField('start', { optional: true, begun: true }) start_date?: Date;
    @RangeEdgeField('end', { optional: true, defaultDays: 30 }) end_date?: Date;
  }
  class Log {
    @RangeEdgeField('start', { optional: true }) start_date?: Date;
    @RangeEdgeField('end', { optional: true, defaultDays: 30 }) end_date?: Date;
  }
  const clock = { now: () => new Date('2026-11-27T12:00:00.000Z') };
  const faultsOf = (raw: Record<string, string>) =>
    validate(Range, raw, clock).faults?.map(({ field, code, detail }) => [field, code, detail]);

  it('is not one whose end is before its start, given or by default', () => {
    const early = [['end_date', 'INVALID_DATE', 'A time that is not before start_date']];
    expect(faultsOf({ start_date: '2026-11-20', end_date: '2026-11-18' })).toEqual(early);
    expect(faultsOf({ start_date: '2026-11-20T00:00:01Z', end_date: '2026-11-20T00:00:00Z' })).toEqual(early);
    expect(faultsOf({ end_date: '2026-10-01' })).toEqual(early);
    expect(validate(Log, { start_date: '2026-11-28' }, clock).faults?.map(({ field, code }) => [field, code])).toEqual([
      ['end_date', 'INVALID_DATE'],
    ]);
    expect(validate(Log, { start_date: '2026-11-28', end_date: 'x' }, clock).faults).toHaveLength(1);
    expect(faultsOf({ start_date: '2026-11-20', end_date: '2026-11-19' })).toBeUndefined();
    expect(faultsOf({ start_date: '2026-11-20', end_date: '2026-11-20' })).toBeUndefined();
  });

  it('of what has happened does not lie in the future', () => {
    expect(faultsOf({ start_date: '2026-11-28', end_date: '2026-11-29' })).toEqual([
      ['start_date', 'INVALID_DATE', expect.stringMatching(/not in the future/)],
    ]);
    expect(faultsOf({ start_date: '2026-11-27', end_date: '2026-12-29' })).toBeUndefined();
  });
});
