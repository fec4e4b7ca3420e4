import { type ReadModels } from '../../log/project/projection.js';
import { type Vault } from '../../platform/crypto/vault.js';
import { type EventStore } from '../../platform/eventstore/event-store.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { newUuid } from '../../kernel/ids.js';
import { Decisions } from './decisions.js';

const ROWS = { query: () => Promise.resolve([]) };
const store = { head: () => Promise.resolve(7n) } as unknown as EventStore;

const reading = (reach: () => Promise<void>): Decisions =>
  new Decisions({} as Vault, { ...ROWS, reach } as unknown as ReadModels, store);

it('of which there is no row is none only once the rows hold all of the log', async () => {
  const late = reading(() => Promise.reject(new Unavailable('read_models')));
  await expect(late.row(newUuid())).rejects.toBeInstanceOf(Unavailable);
  expect(await reading(() => Promise.resolve()).row(newUuid())).toBeUndefined();
});

it('is none under what is no id, without a look', async () => {
  expect(await reading(() => Promise.reject(new Unavailable('read_models'))).row('mat_1')).toBeUndefined();
});
