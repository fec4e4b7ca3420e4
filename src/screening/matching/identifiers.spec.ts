import { type ListEntry } from '../domain/list-entry.js';
import { type Identifier, type IdentifierType, type ScreeningQuery } from '../domain/screening-list.js';
import { sharedIdentifier } from './identifiers.js';

const BECH32 = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';

const entryWith = (identifier: Identifier, more: Partial<ListEntry> = {}): ListEntry => ({
  id: '1',
  type: 'individual',
  names: [{ text: 'Zebulon Quillfeather', weak: false }],
  birthDates: [],
  countries: [],
  programs: [],
  listedOn: null,
  ...more,
  identifiers: [identifier],
});

const isShared = (asked: Identifier, listed: Identifier, query: Partial<ScreeningQuery> = {}, entry = {}): boolean =>
  sharedIdentifier({ ...query, identifiers: [asked] }, entryWith(listed, entry)) !== undefined;

describe('an identifier', () => {
  it.each<[string, IdentifierType, string, string]>([
    ['a bech32 address in capitals', 'crypto_address', BECH32.toUpperCase(), BECH32],
    ['a link to a wallet', 'crypto_address', `bitcoin:${BECH32}?amount=0.1`, BECH32],
    ['a link in capitals', 'crypto_address', `BITCOIN:${BECH32.toUpperCase()}`, BECH32],
    [
      'a link with its chain',
      'crypto_address',
      'ethereum:0xAbCdEf0123456789abcdef0123456789ABCDEF01@1',
      '0xabcdef0123456789abcdef0123456789abcdef01',
    ],
    ['an IMO number with its label', 'imo', 'IMO No. 9314882', '9314882'],
    ['a label of the list', 'imo', '9314882', 'IMO 9314882'],
    ['a label without a space', 'imo', 'IMO9314882', '9314882'],
    ['an MMSI without a space', 'mmsi', 'MMSI422031200', '422031200'],
    ['a SWIFT code', 'bic', 'SWIFT code: TJBKKPPY', 'TJBKKPPY'],
    ['the sign of a number', 'passport', 'Passport №A1234567', 'A1234567'],
    ['a passport among national ids', 'national_id', 'Passport No. A1234567', 'A1234567'],
    ['a national id among passports', 'passport', 'National ID: 99887766', '99887766'],
    ['a number that begins like a label', 'national_id', 'ID-1234567', 'ID1234567'],
    ['a link with slashes', 'crypto_address', `bitcoin://${BECH32}`, BECH32],
    ['an address of Bitcoin Cash in capitals', 'crypto_address', `BITCOINCASH:${'Q'.repeat(42)}`, 'q'.repeat(42)],
    [
      'the recipient of a transfer',
      'crypto_address',
      'ethereum:0x1111111111111111111111111111111111111111/transfer?address=0x2222222222222222222222222222222222222222&uint256=1',
      '0x2222222222222222222222222222222222222222',
    ],
    ['an MMSI with its label', 'mmsi', 'MMSI: 422 031 200', '422031200'],
    ['a BIC of its head office', 'bic', `TJBKKPPY${'X'.repeat(3)}`, 'TJBKKPPY'],
    ['a BIC with its label', 'bic', 'SWIFT/BIC: TJBKKPPY', 'TJBKKPPY'],
    ['dots, spaces and dashes', 'passport', 'A-12 345.67', 'a1234567'],
    ['a passport with its label', 'passport', 'Passport No. A1234567', 'A1234567'],
  ])('is the same by %s', (_, type, asked, listed) =>
    expect(isShared({ type, number: asked }, { type, number: listed })).toBe(true),
  );

  it.each<[IdentifierType, IdentifierType, boolean]>([
    ['passport', 'national_id', true],
    ['national_id', 'passport', true],
    ['tax_id', 'registration', true],
    ['passport', 'tax_id', false],
    ['imo', 'mmsi', false],
  ])('asked as %s and listed as %s is shared: %s', (asked, listed, expected) =>
    expect(isShared({ type: asked, number: '99887766' }, { type: listed, number: '99887766' })).toBe(expected),
  );

  it.each<[string, Identifier, Identifier, Partial<ScreeningQuery>, Partial<ListEntry>, boolean]>([
    [
      'of two authorities',
      { type: 'passport', number: '99887766', country: 'IR' },
      { type: 'passport', number: '99887766', country: 'IQ' },
      {},
      {},
      false,
    ],
    [
      'short, of one authority',
      { type: 'passport', number: '12345', country: 'IR' },
      { type: 'passport', number: '12345', country: 'IR' },
      {},
      {},
      true,
    ],
    [
      'short, of one of the entry’s countries',
      { type: 'passport', number: '12345', country: 'IR' },
      { type: 'passport', number: '12345' },
      {},
      { countries: ['IQ', 'IR'] },
      true,
    ],
    [
      'short, of the country asked for',
      { type: 'passport', number: '12345' },
      { type: 'passport', number: '12345' },
      { country: 'IR' },
      { countries: ['IR'] },
      true,
    ],
    [
      'short, of another country',
      { type: 'passport', number: '12345', country: 'DE' },
      { type: 'passport', number: '12345' },
      {},
      { countries: ['IR'] },
      false,
    ],
    [
      'short, of no country',
      { type: 'passport', number: '12345' },
      { type: 'passport', number: '12345' },
      {},
      {},
      false,
    ],
    [
      'too short',
      { type: 'passport', number: '123', country: 'IR' },
      { type: 'passport', number: '123', country: 'IR' },
      {},
      {},
      false,
    ],
    [
      'a call sign of a vessel',
      { type: 'registration', number: 'T2EA' },
      { type: 'registration', number: 'T2EA' },
      { entityType: 'vessel' },
      { type: 'vessel' },
      true,
    ],
    [
      'a call sign, but not of a vessel',
      { type: 'registration', number: 'T2EA' },
      { type: 'registration', number: 'T2EA' },
      {},
      { type: 'vessel' },
      false,
    ],
    [
      'a vessel’s, of another authority',
      { type: 'registration', number: '1234567', country: 'PA' },
      { type: 'registration', number: '1234567', country: 'IR' },
      { entityType: 'vessel' },
      { type: 'vessel' },
      false,
    ],
  ])('%s', (_, asked, listed, query, entry, expected) => expect(isShared(asked, listed, query, entry)).toBe(expected));
});
