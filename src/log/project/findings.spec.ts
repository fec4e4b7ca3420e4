import { describeFinding, type Finding, findingToJson } from './findings.js';

const sealed = (text: string): string =>
  JSON.stringify({ v: 1, alg: 'A256GCM', key: 'k'.repeat(36), iv: 'i', ct: text });

const finding: Finding = {
  row: {
    table: 'audit_entries',
    difference: {
      key: '["e"]',
      kind: 'different',
      columns: ['result', 'access'],
      live: { result: 'ok', access: sealed('one') },
      rebuilt: { result: 'found', access: sealed('other') },
    },
    steps: [],
  },
  explanation: { step: undefined, evidence: undefined },
};

describe('the values of a differing row', () => {
  it('are shown, long ones by their beginning and a digest that tells them apart', () => {
    const [, result, access = ''] = describeFinding(finding);
    expect(result).toBe('  result: live "ok", rebuilt "found"');
    const [, live, rebuilt] = /live "(.*)", rebuilt "(.*)"$/.exec(access) ?? [];
    expect([live, rebuilt]).toEqual([expect.stringContaining('… (SHA-256 '), expect.stringContaining('… (SHA-256 ')]);
    expect(live).not.toBe(rebuilt);
    expect(access).not.toContain('kkkk');
    expect(JSON.stringify(findingToJson(finding))).not.toContain('kkkk');
  });

  it('are shown whole where they are to be revealed', () => {
    expect(describeFinding(finding, { reveal: true })[2]).toContain(JSON.stringify(sealed('other')));
    expect(findingToJson(finding, { reveal: true })).toMatchObject({ columns: { access: { live: sealed('one') } } });
  });
});
