import { type IdentityRow } from '../../../projections/eligibility/eligibility.queries.js';
import { type AuditTrail } from '../../kernel/access.js';
import { systemClock } from '../../kernel/clock.js';
import { newTenantId, newUuid } from '../../kernel/ids.js';
import { type ReadModels } from '../../log/project/projection.js';
import { type Logger } from '../../observability/logging.js';
import { DataKeyMissing } from '../../platform/crypto/data-keys.js';
import { type Vault } from '../../platform/crypto/vault.js';
import { type Screener, type ScreeningQuery } from '../screener.js';
import { type ReviewSettingsDesk } from '../settings/review-settings-desk.js';
import { type IdentityScreening } from './identity-screening.js';
import { ReverseScreening } from './reverse-screening.js';
import { type ScreeningRun, type ScreeningRuns } from './screening-runs.js';

const tenantId = newTenantId();
const PEOPLE = ['ann', 'lost', 'zoe'];

const runOf = (list: ScreeningRun['list']): ScreeningRun => ({
  list,
  kind: 'sanctions',
  version: 'v2',
  previous: 'v1',
  eventId: newUuid(),
  tenantId: '' as ScreeningRun['tenantId'],
  identityId: '',
});

/** `brokenList`: its versions cannot be compared. */
const world = (lists: readonly ScreeningRun['list'][], brokenList?: string) => {
  const due = lists.map(runOf);
  const [completed, unscreened, screened]: string[][] = [[], [], []];
  const runs: Pick<ScreeningRuns, 'next' | 'advance' | 'complete' | 'postpone'> = {
    next: () => Promise.resolve(due[0]),
    postpone: (run) => Promise.resolve(void due.splice(due.indexOf(run), 1)),
    advance: () => Promise.resolve(),
    complete: ({ list }) => Promise.resolve(void completed?.push(list)),
  };
  const screener: Pick<Screener, 'delta' | 'screenMany'> = {
    delta: (list) =>
      list === brokenList
        ? Promise.reject(new Error('its source is gone'))
        : Promise.resolve({ added: ['entry'], changed: [], removed: [] }),
    screenMany: (_list, _version, _entries, queries: readonly ScreeningQuery[]) => {
      screened?.push(...queries.map(({ fullName }) => fullName));
      return Promise.resolve([]);
    },
  };
  const identities: Pick<IdentityScreening, 'recordUnscreened'> = {
    recordUnscreened: ({ identityId }) => Promise.resolve(void unscreened?.push(identityId)),
  };
  const rows = PEOPLE.map((name) => ({ tenantId, identityId: name, identityHash: 'h', stream: 's', eventId: name }));
  const readModels = {
    query: ({ values, name }: { readonly name: string; readonly values: readonly unknown[] }) =>
      Promise.resolve(name === 'identities-after' && values[1] === '' ? (rows as unknown as IdentityRow[]) : []),
  } as unknown as ReadModels;
  const vault: Pick<Vault, 'open'> = {
    open: ({ eventId }) =>
      eventId === 'lost' ? Promise.reject(new DataKeyMissing('k')) : Promise.resolve({ full_name: eventId }),
  };
  const settings: Pick<ReviewSettingsDesk, 'datePolicies'> = { datePolicies: () => Promise.resolve(new Map()) };
  const audit: Pick<AuditTrail, 'record'> = { record: () => Promise.resolve() };
  const logger: Pick<Logger, 'info'> = { info: () => undefined };
  const screening = new ReverseScreening(
    runs as ScreeningRuns,
    screener as Screener,
    identities as IdentityScreening,
    readModels,
    vault as Vault,
    settings as ReviewSettingsDesk,
    audit as AuditTrail,
    systemClock,
    logger as Logger,
  );
  return { screening, completed, unscreened, screened };
};

it('screens everybody whose record opens, and says of the others that they were not screened', async () => {
  const { screening, completed, unscreened, screened } = world(['OFAC_SDN']);
  await screening.work();
  expect([completed, unscreened, screened]).toEqual([['OFAC_SDN'], ['lost'], ['ann', 'zoe']]);
});

it('screens against the other lists where one cannot be read, and says so', async () => {
  const { screening, completed } = world(['OFAC_SDN', 'EU_CONSOLIDATED'], 'OFAC_SDN');
  await expect(screening.work()).rejects.toThrow('its source is gone');
  expect(completed).toEqual(['EU_CONSOLIDATED']);
});
