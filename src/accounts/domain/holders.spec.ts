import { areApart } from './holders.js';

const key = (keyId: string, boundBy: readonly string[] = [], countsAs = keyId) =>
  [keyId, { countsAs, boundBy }] as const;
const ANN = `mbr_${'a'.repeat(26)}`;
const BOB = `mbr_${'b'.repeat(26)}`;
const GONE = `mbr_${'c'.repeat(26)}`;
const MEMBERS = new Map([
  [ANN, { status: 'active' }],
  [BOB, { status: 'active' }],
  [GONE, { status: 'removed' }],
] as const);

/** `made` by the root, `child` by `made`; `next` replaced the root; `handed` was rotated by `other`; `anns` were made by Ann. */
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
  key('anns2', [ANN]),
  key('bobs', [BOB]),
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
    ['a key, then a member', 'root', BOB, false],
    ['a member who was removed, then another', GONE, BOB, false],
    ['a member, then one that no one knows', ANN, `mbr_${'d'.repeat(26)}`, false],
    ['two keys of one member', 'anns', 'anns2', false],
    ['keys of two members', 'anns', 'bobs', true],
  ])('%s: apart %#', (_, proposer, approver, expected) =>
    expect(areApart({ keys: KEYS, members: MEMBERS })(proposer, approver)).toBe(expected),
  );
});
