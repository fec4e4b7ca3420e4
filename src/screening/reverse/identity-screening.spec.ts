import { aggregatesOf } from '../../../test/support/aggregates.js';
import { SimulatedEventStore } from '../../../test/support/simulated-event-store.js';
import { type AuditEntry, AuditTrail } from '../../kernel/access.js';
import { systemClock } from '../../kernel/clock.js';
import { type LeafRetirement } from '../../kernel/leaf-retirement.js';
import { newTenantId, newUuid } from '../../kernel/ids.js';
import { Metrics } from '../../observability/metrics.js';
import { matchStream } from '../domain/identity-match.events.js';
import { type ScreeningMatch, type ScreeningOutcome } from '../screener.js';
import { IdentityScreening } from './identity-screening.js';

class TruncatingStore extends SimulatedEventStore {
  readonly truncated: (readonly [string, bigint])[] = [];
  readonly retired: (readonly [string, bigint])[] = [];
  readonly leaves: LeafRetirement = {
    retire: (stream, firstKept) => {
      this.retired.push([stream, firstKept]);
      return Promise.resolve();
    },
  };

  override truncateBefore(stream: string, revision: bigint): Promise<void> {
    this.truncated.push([stream, revision]);
    return Promise.resolve();
  }
}

/** Entries by id, as the audit trail keeps them. */
class Entries extends AuditTrail {
  readonly entries = new Map<string, AuditEntry>();

  record(entry: AuditEntry): Promise<void> {
    this.entries.set(entry.entryId, entry);
    return Promise.resolve();
  }
  recordBatch = (): Promise<void> => Promise.reject(new Error('hits have an entry each'));
  seal = (): Promise<never> => Promise.reject(new Error('hits have events of their own'));
  recordedAt = (): void => undefined;
}

const tenantId = newTenantId();
const identityId = `idn_${'0'.repeat(32)}`;
const stream = matchStream(tenantId, identityId);

const match = (entryId: string, score = 0.9): ScreeningMatch => ({
  list: 'OFAC_SDN',
  entryId,
  entryDigest: `digest of ${entryId}`,
  name: 'A Name',
  matchedName: 'A Name',
  score,
  nameScore: score,
  type: 'individual',
  programs: [],
  birthDates: [],
  countries: [],
  listedOn: null,
  reasons: [],
  evidence: [],
  listVersion: 'v1',
  agrees: false,
  contradicts: false,
  identified: false,
  held: false,
});

const outcomeOf = (...matches: readonly ScreeningMatch[]): ScreeningOutcome => ({
  status: matches.length > 0 ? 'potential_match' : 'clear',
  matches,
  cleared: [],
  versions: { OFAC_SDN: 'v1' },
  engineVersion: '1',
  thresholds: { potential: 0.85, confirmed: 0.95 },
});

const begin = () => {
  const store = new TruncatingStore();
  const audit = new Entries();
  const screening = new IdentityScreening(audit, store, store.leaves, aggregatesOf(store), systemClock, new Metrics());
  const record = (outcome: ScreeningOutcome): Promise<number> =>
    screening.record({
      kind: 'sanctions',
      tenantId,
      identityId,
      identityHash: 'hash',
      query: { fullName: 'A Name' },
      outcome,
      examined: 'all',
      requestId: newUuid(),
      causationId: newUuid(),
    });
  const types = (): string[] => (store.streams.get(stream) ?? []).map(({ type }) => type);
  return { store, audit, screening, record, types };
};

describe('a hit on an identity', () => {
  it('has one event and one audit entry, however often it is found', async () => {
    const { audit, record, types } = begin();
    expect([await record(outcomeOf(match('1'))), await record(outcomeOf(match('1')))]).toEqual([1, 0]);
    expect(types()).toEqual(['IdentityScreened.v1', 'MatchFound.v1']);
    expect([...audit.entries.values()]).toMatchObject([{ action: 'sanctions_check', result: 'potential_match' }]);
  });

  it('is none below the threshold', async () => {
    const { audit, record, types } = begin();
    expect(await record(outcomeOf(match('1', 0.84)))).toBe(0);
    expect([types(), audit.entries.size]).toEqual([[], 0]);
  });

  it('goes with the person: told once, and removed below the last event', async () => {
    const { store, screening, record, types } = begin();
    const subject = {
      tenantId,
      identityId,
      identityHash: 'hash',
      dataKeyIds: [],
      decisionId: newUuid(),
      requestId: 'r',
    };
    expect(await screening.erase(subject)).toBe(0);
    expect([types(), store.truncated]).toEqual([[], []]);
    await record(outcomeOf(match('1'), match('2')));
    expect([await screening.erase(subject), await screening.erase(subject)]).toEqual([1, 0]);
    expect(types().at(-1)).toBe('MatchesForgotten.v1');
    expect(store.truncated).toEqual([
      [stream, 3n],
      [stream, 3n],
    ]);
    expect(store.retired).toEqual(store.truncated);
  });
});
