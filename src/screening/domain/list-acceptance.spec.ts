import { givenFor } from '../../../test/support/given.js';
import { type AcceptList, listDecider } from './list-acceptance.js';
import { type ScreeningListAccepted } from './list.events.js';

const given = givenFor(listDecider);

const version = (changes: Partial<AcceptList['data']> = {}): AcceptList['data'] => ({
  list: 'UN_SECURITY_COUNCIL',
  kind: 'sanctions',
  version: 'v2',
  replaces: 'v1',
  publishedOn: '2026-02-27',
  sha256: 'b'.repeat(64),
  files: [{ name: 'un.xml', sha256: 'c'.repeat(64) }],
  readerVersion: '1',
  entries: 1_003,
  added: 4,
  removed: 1,
  changed: 0,
  justification: null,
  origin: 'download',
  ...changes,
});

const accepted = (
  overridden: readonly string[] = [],
  changes: Partial<AcceptList['data']> = {},
): ScreeningListAccepted => ({
  type: 'ScreeningListAccepted.v1',
  data: { ...version(changes), overridden },
});

const first = accepted([], { version: 'v1', replaces: null, entries: 1_000, publishedOn: '2026-02-01' });
const offer = (changes: Partial<AcceptList['data']> = {}, accept = false): AcceptList => ({
  data: version(changes),
  accept,
});

describe('accepting a version of a list', () => {
  it('puts a first one in force, whatever its size', () =>
    given()
      .when(offer({ replaces: null, entries: 3 }))
      .thenTypes('ScreeningListAccepted.v1'));
  it('puts the next one in force', () => given(first).when(offer()).then(accepted()));
  it('has nothing to do for the one in force', () =>
    given(first)
      .when(offer({ version: 'v1' }))
      .thenNothing());
  it('refuses one that was compared with another than the one in force', () =>
    given(first)
      .when(offer({ replaces: 'v0' }, true))
      .thenRejected('list_refused'));

  it('refuses one of another kind than the one in force', () =>
    given(first)
      .when(offer({ kind: 'pep' }, true))
      .thenRejected('list_refused'));
  it('lets a list of one’s own grow to twice its size', () => {
    const own = { list: 'OWN_WATCH' };
    given(accepted([], { ...own, version: 'v1', replaces: null, entries: 5 }))
      .when(offer({ ...own, entries: 10, added: 5 }))
      .thenTypes('ScreeningListAccepted.v1');
    given(accepted([], { ...own, version: 'v1', replaces: null, entries: 5 }))
      .when(offer({ ...own, entries: 11, added: 6 }))
      .thenRejected('list_refused');
  });

  it.each([
    ['published before the present one', { publishedOn: '2026-01-31' }],
    ['that shrinks by more than 10 %', { entries: 899 }],
    ['that grows by more than 10 %', { entries: 1_101 }],
    ['that changes more than 20 % of the entries', { changed: 201 }],
  ])('refuses one %s, unless an operator accepts it, which is recorded', (_, changes) => {
    given(first).when(offer(changes)).thenRejected('list_refused');
    const [event] = given(first).when(offer(changes, true)).outcome();
    expect(event?.data.overridden).toHaveLength(1);
  });

  it.each([
    ['10 % fewer entries', { entries: 900 }],
    ['10 % more entries', { entries: 1_100 }],
    ['changes of 20 % of the entries', { changed: 199, removed: 1 }],
    ['no date of its own', { publishedOn: null }],
  ])('takes %s', (_, changes) => given(first).when(offer(changes)).thenTypes('ScreeningListAccepted.v1'));
});
