import { ManualClock } from '../../../test/support/manual-clock.js';
import { loadConfig } from '../../platform/config/load-config.js';
import { type EventStore } from '../../platform/eventstore/event-store.js';
import { type ListsInForce } from '../domain/list-acceptance.js';
import { type ScreeningKind } from '../domain/screening-list.js';
import { type Accepting } from './accepting.js';
import { type LastAnswer, type ListStore } from './list-store.js';
import { PresentLists } from './present-lists.js';

const DAY = 86_400_000;
const REQUIRED = ['OFAC_SDN', 'EU_CONSOLIDATED', 'UN_SECURITY_COUNCIL', 'PEP'];

const ANSWERED: Omit<LastAnswer, 'answeredAt'> = { etag: null, lastModified: null, refused: null };

/** A production deployment that has these lists, each with its age in days. */
const deployment = async (
  ages: Readonly<Record<string, number>>,
  { required = [], kinds = {} }: { required?: readonly string[]; kinds?: Readonly<Record<string, ScreeningKind>> } = {},
): Promise<PresentLists> => {
  const clock = new ManualClock(Date.now());
  const now = clock.now().getTime();
  const versions = Object.keys(ages).map((list) => [list, { list, version: 'v1', kind: kinds[list] ?? 'sanctions' }]);
  const accepting = { inForce: () => Promise.resolve(new Map(versions as never) as ListsInForce['versions']) };
  const answers = Object.entries(ages).map(
    ([list, age]) => [list, { ...ANSWERED, answeredAt: new Date(now - age * DAY) }] as const,
  );
  const store = { lastAnswers: () => Promise.resolve(new Map(answers)) };
  const config = {
    environment: 'production',
    screening: { ...loadConfig({}).screening, requiredLists: new Set(required) },
  } as const;
  const lists = new PresentLists(
    accepting as Accepting,
    store as unknown as ListStore,
    { read: () => Promise.resolve([]) } as unknown as EventStore,
    config,
    clock,
  );
  await lists.renew();
  return lists;
};

const all = (age: number): Record<string, number> => Object.fromEntries(REQUIRED.map((list) => [list, age]));

const faultOf = (lists: PresentLists, kind: ScreeningKind): unknown => {
  try {
    lists.assertUsable(kind);
    return undefined;
  } catch (error) {
    return (error as { info: { detail: string } }).info.detail;
  }
};

it('refuses a check only for a list that it must not go without', async () => {
  const lists = await deployment({ ...all(1), UK_SANCTIONS: 30, OWN_WATCH: 30 });
  expect([faultOf(lists, 'sanctions'), faultOf(lists, 'pep')]).toEqual([undefined, undefined]);
});

it.each([
  ['never loaded', {}, 'The list UK_SANCTIONS was never loaded; nothing was charged'],
  ['too old', { UK_SANCTIONS: 4 }, 'The list UK_SANCTIONS was last fetched more than 3 days ago; nothing was charged'],
])('refuses a check for a list that the operator requires and that is %s', async (_, ages, detail) => {
  const lists = await deployment({ ...all(1), ...ages }, { required: ['UK_SANCTIONS'] });
  expect(faultOf(lists, 'sanctions')).toBe(detail);
  expect(faultOf(lists, 'pep')).toBeUndefined();
});

it('refuses checks of a kind for the lists of that kind', async () => {
  const kinds = { OWN_PEPS: 'pep' } as const;
  const lists = await deployment({ ...all(1), OWN_PEPS: 9 }, { required: ['OWN_PEPS'], kinds });
  expect(faultOf(lists, 'sanctions')).toBeUndefined();
  expect(faultOf(lists, 'pep')).toContain('OWN_PEPS');
});

it('shows the lists in force, and those that are needed and missing', async () => {
  const lists = await deployment({ OFAC_SDN: 1, OWN_WATCH: 2 }, { required: ['CH_SECO'] });
  expect(lists.describe().map(({ list, version, required }) => [list, version, required])).toEqual([
    ['OFAC_SDN', 'v1', true],
    ['EU_CONSOLIDATED', null, true],
    ['UN_SECURITY_COUNCIL', null, true],
    ['CH_SECO', null, true],
    ['PEP', null, true],
    ['OWN_WATCH', 'v1', false],
  ]);
});
