import { instantOf } from './time.js';

describe('a timestamp', () => {
  it.each(['9999-12-31T23:59:59-01:00', '0001-01-01T00:00:00+01:00'])(
    'that leaves the years 1 to 9999 in UTC, as %s does, is none: its text would not compare',
    (text) => expect(instantOf(text)).toBeUndefined(),
  );

  it('may leave the seconds out, as ISO 8601 allows', () =>
    expect(instantOf('2027-01-01T00:00+01:00')?.toISOString()).toBe('2026-12-31T23:00:00.000Z'));

  it.each(['9999-12-31T23:59:59.999Z', '0001-01-01T00:00:00.000Z'])('may be %s', (text) =>
    expect(instantOf(text)?.toISOString()).toBe(text),
  );
});
