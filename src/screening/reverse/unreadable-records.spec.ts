import { aggregatesOf } from '../../../test/support/aggregates.js';
import { LegibleVault } from '../../../test/support/accounts-world.js';
import { SimulatedEventStore } from '../../../test/support/simulated-event-store.js';
import { type IdentityIngested, identityStream, PERSONAL_FIELD } from '../../identity/domain/identity.events.js';
import { type AuditEntry, AuditTrail } from '../../kernel/access.js';
import { systemClock } from '../../kernel/clock.js';
import { type Recorded } from '../../kernel/events.js';
import { newTenantId, newUuid } from '../../kernel/ids.js';
import { type LeafRetirement } from '../../kernel/leaf-retirement.js';
import { Metrics } from '../../observability/metrics.js';
import { ListEngine, screenAgainstLists } from '../matching/list-engine.js';
import { type ListId, Screener, type ScreeningKind, type ScreeningOutcome, type ScreeningQuery } from '../screener.js';
import { type ReviewSettingsDesk } from '../settings/review-settings-desk.js';
import { IdentityScreening } from './identity-screening.js';
import { IngestionScreeningReactor } from './ingestion-screening.reactor.js';

/** Entries by id, as the audit trail keeps them. */
class Entries extends AuditTrail {
  readonly entries = new Map<string, AuditEntry>();

  record(entry: AuditEntry): Promise<void> {
    this.entries.set(entry.entryId, entry);
    return Promise.resolve();
  }
  recordBatch = (): Promise<void> => Promise.reject(new Error('each has an entry of its own'));
  seal = (): Promise<never> => Promise.reject(new Error('each has an event of its own'));
  recordedAt = (): void => undefined;
}

const engine = new ListEngine('OFAC_SDN', 'v1', [
  {
    id: 'listed',
    type: 'individual',
    names: [{ text: 'Zebulon Quillfeather', weak: false }],
    birthDates: [],
    countries: [],
    programs: [],
    listedOn: null,
  },
]);

/** The engine itself, in this thread. */
class OneList extends Screener {
  constructor(private readonly missing: readonly ListId[]) {
    super();
  }

  unread = (kind: ScreeningKind): readonly ListId[] => (kind === 'sanctions' ? this.missing : []);
  screen = (_kind: ScreeningKind, query: ScreeningQuery): Promise<ScreeningOutcome> =>
    Promise.resolve(screenAgainstLists([engine], query, { potential: 0.85, confirmed: 0.95 }));
  assertInForce = (): Promise<never> => Promise.reject(new Error('not asked for'));
  screenPresent = (): Promise<undefined> => Promise.resolve(undefined);
  screenAgainst = (): Promise<never> => Promise.reject(new Error('not asked for'));
  screenMany = (): Promise<never> => Promise.reject(new Error('not asked for'));
  compare = (): Promise<never> => Promise.reject(new Error('not asked for'));
  delta = (): Promise<never> => Promise.reject(new Error('not asked for'));
}

const tenantId = newTenantId();
const identityId = `idn_${'0'.repeat(32)}`;
const stream = identityStream(tenantId, identityId);
const leaves: LeafRetirement = { retire: () => Promise.resolve() };

/** A record in the log from before names had to hold a letter. */
const recorded = async (vault: LegibleVault, full_name: string): Promise<Recorded<IdentityIngested>> => {
  const id = newUuid();
  const key = await vault.tenantKey(tenantId);
  const personal = vault.seal(key, { tenantId, stream, eventId: id, field: PERSONAL_FIELD }, { full_name });
  const data = { identityId, identityHash: 'hash', kycStatus: 'APPROVED', tier: 'Tier3', personal };
  const metadata = { $correlationId: newUuid(), actor: { type: 'tenant', id: 'key' } };
  const event = {
    id,
    type: 'IdentityIngested.v1',
    stream,
    revision: 0n,
    position: 1n,
    created: new Date(),
    data,
    metadata,
  };
  return event as unknown as Recorded<IdentityIngested>;
};

const begin = (missing: readonly ListId[] = []) => {
  const store = new SimulatedEventStore();
  const audit = new Entries();
  const vault = new LegibleVault();
  const identities = new IdentityScreening(audit, store, leaves, aggregatesOf(store), systemClock, new Metrics());
  const settings: Pick<ReviewSettingsDesk, 'asked'> = { asked: (_, query) => Promise.resolve(query) };
  const reactor = new IngestionScreeningReactor(
    new OneList(missing),
    identities,
    settings as ReviewSettingsDesk,
    vault,
  );
  const screened = async (full_name: string): Promise<unknown[]> => {
    const event = await recorded(vault, full_name);
    const context = { effectId: newUuid(), attempt: 1, signal: new AbortController().signal };
    await reactor.handle(event, context);
    // After a crash the same event comes again.
    await reactor.handle(event, context);
    return [...audit.entries.values()].map(({ action, result, identityHash }) => [action, result, identityHash]);
  };
  return { screened };
};

describe('a record of the log', () => {
  it.each(['\u200b\u200b', '\u2800', '\u3164', '---', '12345'])(
    'whose name is %j says once in the audit log that it was not screened',
    async (name) => expect(await begin().screened(name)).toEqual([['sanctions_check', 'not_screened', 'hash']]),
  );

  it('whose name can be read is screened, and leaves an entry for a hit alone', async () => {
    expect(await begin().screened('Nobody Atall')).toEqual([]);
    expect(await begin().screened('Zebulon Quillfeather')).toEqual([['sanctions_check', 'potential_match', 'hash']]);
  });

  it('that comes while a list cannot be read is screened against the others, and says that it was not screened', async () => {
    const { screened } = begin(['OWN_WATCH']);
    expect(await screened('Zebulon Quillfeather')).toEqual([
      ['sanctions_check', 'not_screened', 'hash'],
      ['sanctions_check', 'potential_match', 'hash'],
    ]);
  });
});
