import { categories } from '../categories.js';
import { type StoredEvent } from '../kernel/events.js';
import { formatLine, type ReplayFilter, replayLine, ReplaySelection } from './replay.js';

const TENANT = 't01hzzzzzzzzzzzzzzzzzzzzzzz';
const SEALED = { v: 1, alg: 'A256GCM', key: 'k', iv: 'iv', ct: 'secret' };

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
    time: `2026-11-01T00:00:0${position}.000Z`,
    schemaVersion: 1,
    ...event.metadata,
  },
});

const causedBy = ($causationId: string): StoredEvent['metadata'] => ({
  $correlationId: 'another',
  $causationId,
  actor: { type: 'system', id: 'sweeper' },
  time: '2026-11-01T00:00:09.000Z',
  schemaVersion: 1,
});

const log = [
  at(1, { data: { action: 'eligibility_check', amount: 1, result: 'found', access: SEALED } }),
  at(2, { stream: `identity-${TENANT}_ab`, data: { identityId: 'idn_ab', identityHash: 'hash', personal: SEALED } }),
  at(3, { data: { chargeId: 'event-1' }, type: 'ChargeReversed.v1', metadata: causedBy('event-1') }),
  at(4, { data: {}, type: 'DeductionsSettled.v1', metadata: causedBy('event-3') }),
  at(5, { stream: 'credits-t01hzzzzzzzzzzzzzzzzzzzzzza', data: { records: [{ identityHash: 'hash' }] } }),
];

const chosen = (filter: ReplayFilter): number[] => {
  const selection = new ReplaySelection(filter);
  return log.filter((event) => selection.takes(event)).map(({ position }) => Number(position));
};

describe('a replay', () => {
  it.each<[string, ReplayFilter, number[]]>([
    ['everything', {}, [1, 2, 3, 4, 5]],
    ['a tenant', { tenant: TENANT }, [1, 2, 3, 4]],
    ['everything that a request caused', { request: 'request-1' }, [1, 3, 4]],
    ['an identity', { identity: 'idn_ab' }, [2]],
    ['a person at every tenant', { identityHash: 'hash' }, [2, 5]],
    ['an actor', { actor: 'sweeper' }, [3, 4]],
    ['an action', { action: 'eligibility_check' }, [1]],
    ['a time', { from: new Date('2026-11-01T00:00:02Z'), to: new Date('2026-11-01T00:00:05Z') }, [2]],
  ])('shows %s', (_what, filter, positions) => {
    expect(chosen(filter)).toEqual(positions);
  });

  it('prints the place and the cause of an event, and nothing that is sealed', () => {
    for (const format of ['text', 'json', 'csv'] as const) {
      const lines = log.map((event) => formatLine(replayLine(event, categories), format));
      expect(lines.join('\n')).not.toMatch(/secret|A256GCM/);
      expect(lines[2]).toContain('event-1');
      expect(lines[0]).toContain('eligibility_check');
    }
    expect(replayLine(log[1] as StoredEvent, categories)).toMatchObject({
      resource: { type: 'identity', id: `${TENANT}_ab` },
      data: { identityId: 'idn_ab', identityHash: 'hash' },
      revision: '2',
      position: '2',
    });
  });

  it('gives a spreadsheet no formula', () => {
    const event = at(6, { data: {}, type: '=SUM(A1)' });
    expect(formatLine(replayLine(event, categories), 'csv')).toContain(`"'=SUM(A1)"`);
  });
});
