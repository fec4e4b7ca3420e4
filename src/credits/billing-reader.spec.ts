import { type ReadModels } from '../log/project/projection.js';
import { newTenantId } from '../kernel/ids.js';
import { Unavailable } from '../kernel/unavailable.js';
import { type Config } from '../platform/config/config.js';
import { BillingReader } from './billing-reader.js';
import { type CreditRepository } from './credit-repository.js';

const TENANT = newTenantId();
const ROW = { revision: '3', kind: 'charge', amount: '1', balance_after: '9' };

const reading = (written: bigint | undefined, rows: readonly object[], reach: () => Promise<void>): BillingReader =>
  new BillingReader(
    { lastPosition: () => written } as unknown as CreditRepository,
    { query: () => Promise.resolve(rows), reach } as unknown as ReadModels,
    {} as Config,
  );

const late = (): Promise<void> => Promise.reject(new Unavailable('read_models'));

it('shows a transaction that has its row, however late the others are', async () => {
  expect(await reading(7n, [ROW], late).transaction(TENANT, 3)).toBeDefined();
});

it('says that none exists only where the rows hold what this instance appended', async () => {
  await expect(reading(7n, [], late).transaction(TENANT, 3)).rejects.toBeInstanceOf(Unavailable);
  expect(await reading(7n, [], () => Promise.resolve()).transaction(TENANT, 3)).toBeUndefined();
  expect(await reading(undefined, [], late).transaction(TENANT, 3)).toBeUndefined();
});
