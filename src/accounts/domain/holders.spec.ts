import { areApart } from './holders.js';

const key = (keyId: string, boundBy: readonly string[] = [], countsAs = keyId) =>
  [keyId, { countsAs, boundBy }] as const;
const ANN = `mbr_${'a'.repeat(26)}`;
const BOB = `mbr_${'b'.repeat(26)}`;

/** `made` by the root, `child` by `made`; `next` replaced the root; `handed` was rotated by `other`; `anns` was made by Ann. */
const KEYS = new Map([
  key('root'),
  key('made', ['root']),
  key('child', ['made']),
  key('sister', ['root']),
  key('next', [], 'root'),
  key('other'),
  key('handed', ['other'], 'third'),
  key('third'),
  key('anns', [ANN]),
]);

describe('who proposes and who approves', () => {
  it.each([
    ['two keys that an operator made', 'root', 'other', true],
    ['a key and itself', 'root', 'root', false],
    ['a key and what it made', 'root', 'made', false],
    ['what a key made, and that key', 'made', 'root', false],
    ['a key and what it made through another', 'root', 'child', false],
    ['two keys of one maker', 'child', 'sister', false],
    ['a key and its successor', 'root', 'next', false],
    ['a successor, and what its predecessor made', 'next', 'child', false],
    ['a key and one that it rotated', 'other', 'handed', false],
    ['a key and its successor by another’s rotation', 'third', 'handed', false],
    ['a key, and one that no one knows', 'root', 'unknown1', false],
    ['two members', ANN, BOB, true],
    ['a member and itself', ANN, ANN, false],
    ['a member, then a key', ANN, 'root', false],
    ['a key, then a member', 'root', BOB, true],
    ['a member’s key, then that member', 'anns', ANN, false],
    ['a member’s key, then another member', 'anns', BOB, true],
  ])('%s: apart %#', (_, proposer, approver, expected) => expect(areApart(KEYS)(proposer, approver)).toBe(expected));
});
