import { confidenceOf } from './confidence.js';

const AT = '2026-11-27T10:00:00.000Z';

it.each([
  [1, true, true, null],
  [1, true, true, '2026-11-28T10:00:00.000Z'],
  [0.8, true, false, null],
  [0.8, false, true, null],
  [0.6, false, false, null],
  [0.5, true, true, AT],
  [0.4, true, false, '2026-11-26T10:00:00.000Z'],
  [0.3, false, false, '2026-11-26T10:00:00.000Z'],
])('is %d with a document: %s, a date of birth: %s, an end: %s', (score, hasDocument, hasDateOfBirth, kycExpiresAt) => {
  expect(confidenceOf({ hasDocument, hasDateOfBirth }, { receivedAt: AT, kycExpiresAt })).toBe(score);
});
