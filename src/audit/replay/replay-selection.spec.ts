import { categories } from '../../categories.js';
import { type OpenedAccess } from '../../kernel/access.js';
import { type StoredEvent } from '../../kernel/events.js';
import { plain } from './plain.js';
import { formatLine, replayLine } from './replay-line.js';
import { type ReplayFilter, ReplaySelection } from './replay-selection.js';

const TENANT = 't01hzzzzzzzzzzzzzzzzzzzzzzz';
const OTHER = 't01hzzzzzzzzzzzzzzzzzzzzzza';
const SEALED = { v: 1, alg: 'A256GCM', key: 'k', iv: 'iv', ct: 'secret' };
const HEX = 'ab'.repeat(16);
const JTI = '0d9f0a34-1c5b-4a7e-8f5e-3c1f6f1a7e21';

const at = (position: number, event: Partial<StoredEvent> & { data: unknown }): StoredEvent => ({
  id: `event-${position}`,
  stream: `credits-${TENANT}`,
  revision: BigInt(position),
  position: BigInt(position),
  type: 'OperationCharged.v1',
  created: new Date(0),
  ...event,
  metadata: {
    $correlationId: `request-${position}`,
    actor: { type: 'tenant', id: 'AbCd1234' },
    time: `2026-11-01T00:00:${String(position).padStart(2, '0')}.000Z`,
    schemaVersion: 1,
    ...event.metadata,
  },
});

const bySweeper = (position: number, $causationId?: string): StoredEvent['metadata'] => ({
  $correlationId: 'another',
  ...($causationId === undefined ? {} : { $causationId }),
  actor: { type: 'system', id: 'sweeper' },
  time: `2026-11-01T00:00:${String(position).padStart(2, '0')}.000Z`,
  schemaVersion: 1,
});

const credentialStream = `credential-${TENANT}_${JTI.replaceAll('-', '')}`;

const log = [
  at(1, { data: { action: 'eligibility_check', amount: 1, result: 'found', access: SEALED } }),
  at(2, {
    stream: `identity-${TENANT}_${HEX}`,
    data: { identityId: `idn_${HEX}`, identityHash: 'hash', personal: SEALED },
  }),
  at(3, { data: { chargeId: 'event-1' }, type: 'ChargeReversed.v1', metadata: bySweeper(3, 'event-1') }),
  at(4, { data: {}, type: 'LowBalanceReached.v1', metadata: bySweeper(4, 'event-3') }),
  at(5, { stream: `credits-${OTHER}`, data: { records: [{ identityHash: 'hash' }] } }),
  at(6, { data: { deductionId: 'deduction', amount: 10 }, type: 'CreditsDeducted.v1' }),
  at(7, { data: { deductionId: 'deduction' }, type: 'DeductionRefunded.v1', metadata: bySweeper(7) }),
  at(8, { stream: credentialStream, data: { credentialId: JTI, identityId: `idn_${HEX}`, token: SEALED } }),
  at(9, { stream: credentialStream, data: { reason: SEALED }, type: 'CredentialRevoked.v1' }),
  at(10, { stream: `audit-${OTHER}`, data: { action: 'identity_read', result: 'ok', access: SEALED } }),
];

/** The entry at 10 is of the person. */
const entries = {
  openAll: ({ id }: Pick<StoredEvent, 'id'>): Promise<readonly OpenedAccess[]> =>
    Promise.resolve([
      { identityHash: id === 'event-10' ? 'hash' : 'another', ipAddress: '', userAgent: '', about: {}, answered: {} },
    ]),
};

const chosen = async (filter: ReplayFilter): Promise<number[]> => {
  const selection = new ReplaySelection(filter, entries);
  const positions: number[] = [];
  for (const event of log) if (await selection.takes(event)) positions.push(Number(event.position));
  return positions;
};

const person = { identityId: `idn_${HEX}`, identityHash: 'hash' };

describe('a replay', () => {
  it.each<[string, ReplayFilter, number[]]>([
    ['everything', {}, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
    ['a tenant', { tenant: OTHER }, [5, 10]],
    ['everything that a request caused', { request: 'request-1' }, [1, 3, 4]],
    ['what refunded a request later', { request: 'request-6' }, [6, 7]],
    [
      'what a request caused, though it began before',
      { request: 'request-1', from: new Date('2026-11-01T00:00:03Z') },
      [3, 4],
    ],
    ['everything that touched an identity', { person }, [2, 5, 8, 9, 10]],
    ['what of it happened at one tenant', { person, tenant: TENANT }, [2, 8, 9]],
    ['a person at every tenant', { person: { identityHash: 'hash' } }, [2, 5, 10]],
    ['a credential', { credential: JTI }, [8, 9]],
    ['an actor', { actor: 'sweeper' }, [3, 4, 7]],
    ['an action', { action: 'eligibility_check' }, [1]],
    ['a time', { from: new Date('2026-11-01T00:00:02Z'), to: new Date('2026-11-01T00:00:04Z') }, [2, 3]],
  ])('shows %s', async (_what, filter, positions) => {
    expect(await chosen(filter)).toEqual(positions);
  });

  it('prints the place and the cause of an event, and nothing that is sealed', () => {
    for (const format of ['text', 'json', 'csv'] as const) {
      const lines = log.map((event) => formatLine(replayLine(event, categories), format));
      expect(lines.join('\n')).not.toMatch(/secret|A256GCM/);
      expect(lines[2]).toContain('event-1');
      expect(lines[0]).toContain('eligibility_check');
    }
    expect(replayLine(log[1] as StoredEvent, categories)).toMatchObject({
      resource: { type: 'identity', id: `${TENANT}_${HEX}` },
      data: { identityId: `idn_${HEX}`, identityHash: 'hash' },
      revision: '2',
      position: '2',
    });
  });

  it('shows what was opened of an event where it is to be revealed', () => {
    const event = at(1, { data: { reason: SEALED, amount: 1 } });
    const fields = new Map<object, unknown>([[SEALED, 'the reason']]);
    const access = { identityHash: '', ipAddress: '192.0.2.1', userAgent: 'curl', about: {}, answered: {} };
    expect(replayLine(event, categories, { fields, access })).toMatchObject({
      data: { reason: 'the reason', amount: 1 },
      metadata: { ip_address: '192.0.2.1', user_agent: 'curl' },
    });
  });

  it('gives a spreadsheet no formula', () => {
    const event = at(6, { data: {}, type: '=SUM(A1)' });
    expect(formatLine(replayLine(event, categories), 'csv')).toContain(`"'=SUM(A1)"`);
  });

  it('gives none to a spreadsheet that splits lines by semicolons', () => {
    const event = at(6, { data: { note: ';=SUM(A1)', '=a;=b': 1 }, type: 'a;=SUM(A1)' });
    const cells = formatLine(replayLine(event, categories), 'csv').split(';');
    expect(cells.filter((cell) => /^"*[=+\-@]/.test(cell))).toEqual([]);
  });
});

describe('a state as plain JSON', () => {
  it('shows maps, sets and large numbers, and nothing that is sealed', () => {
    const state = { at: 3n, of: new Map([['a', { sealed: SEALED, open: 1 }]]), named: new Set(['b']), when: null };
    expect(plain(state)).toEqual({ at: '3', of: { a: { open: 1 } }, named: ['b'], when: null });
  });
});
