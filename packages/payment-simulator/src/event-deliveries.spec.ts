import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { eventually } from '../../../test/support/processes.js';
import { EventDeliveries } from './event-deliveries.js';
import { SimulatorStore } from './store.js';

const dataDir = mkdtempSync(join(tmpdir(), 'kyc-simulator-'));
const file = join(dataDir, 'payment-simulator', 'state.json');

/** The events in the order of their arrival, and whether the simulator's file had each of them by then. */
const arrived: { readonly type: string; readonly durable: boolean }[] = [];
const receiver = createServer((request, response) => {
  void text(request).then((body) => {
    const { id, type } = JSON.parse(body) as { id: string; type: string };
    const { deliveries } = JSON.parse(readFileSync(file, 'utf8')) as { deliveries: Record<string, unknown> };
    arrived.push({ type, durable: deliveries[id] !== undefined });
    response.end();
  });
});

beforeAll(() => new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve)));
afterAll(async () => {
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
  rmSync(dataDir, { recursive: true, force: true });
});

it('sends no event that a crash would make it forget, though another one is sent meanwhile', async () => {
  const store = await SimulatorStore.open(dataDir);
  const deliveries = new EventDeliveries(store, 'whsec_test', false);
  deliveries.add('first', {});
  await store.save();
  deliveries.add('second', {});
  deliveries.start(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`);
  await eventually('both events', () => arrived.length === 2);
  deliveries.close();
  expect(arrived).toEqual([
    { type: 'first', durable: true },
    { type: 'second', durable: true },
  ]);
  await store.save();
});
