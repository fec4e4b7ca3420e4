import pg from 'pg';
import { Unavailable } from '../kernel/unavailable.js';
import { DataKeyMissing } from '../platform/crypto/data-keys.js';
import { failureReason } from './failure-reason.js';

describe('the reason of a failed document', () => {
  it.each([
    ['a missing key', new DataKeyMissing('secret-id'), 'A key that its entries are sealed under is missing'],
    [
      'a refused statement',
      new pg.DatabaseError('secret row', 1, 'error'),
      'The database refused to read its entries or to keep the file',
    ],
    ['a store that did not answer', new Unavailable('postgres'), 'Its entries could not be read within a day'],
    ['anything else', new TypeError('secret value'), 'A fault of this service kept the file from being made'],
  ])('names %s, and nothing of the error itself', (_, error, cause) => {
    expect(failureReason(error, 'report')).toBe(`${cause}. The report's cost is given back.`);
    expect(failureReason(error, 'export')).toBe(`${cause}. Ask for it again.`);
  });
});
