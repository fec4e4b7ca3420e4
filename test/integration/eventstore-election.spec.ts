import { jest } from '@jest/globals';
import { type EventStoreClient } from '../../src/platform/config/config.js';
import { newUuid } from '../../src/kernel/ids.js';
import { GrpcEventStore } from '../../src/platform/eventstore/grpc-event-store.js';
import { FakedCluster } from '../support/faults/cluster.js';
import { happened } from '../support/happened.js';
import { type EventStoreNode, eventually, sleep, startEventStore } from '../support/stack.js';

jest.setTimeout(90_000);

let node: EventStoreNode;
let cluster: FakedCluster;
let store: GrpcEventStore;

beforeAll(async () => {
  node = await startEventStore();
});

afterAll(() => node.stop());

const authorityOf = (connectionString: string): string => new URL(connectionString.replace(/^esdb/, 'http')).host;

describe.each<EventStoreClient>(['direct', 'official'])('a cluster of three, through the %s client', (client) => {
  beforeEach(async () => {
    cluster = await FakedCluster.start(authorityOf(node.connectionString));
    const authority = authorityOf(node.connectionString);
    const connectionString = node.connectionString.replace(authority, cluster.hosts);
    store = new GrpcEventStore({ connectionString, client });
    await store.append(`test-${newUuid()}`, [happened('warm')], 'any', { budgetMs: 10_000 });
  });

  afterEach(async () => {
    await store.close();
    cluster.stop();
  });

  it('turns to the leader that another node names, when it asks one that leads no more', async () => {
    const stream = `test-${newUuid()}`;
    await store.append(stream, [happened(1)], 'no_stream');
    cluster.elect(1);
    await eventually('an append to the new leader', () =>
      store.append(stream, [happened(2)], 0n).then(
        () => true,
        () => false,
      ),
    );
    expect((await store.read(stream)).map(({ data }) => data)).toEqual([{ value: 1 }, { value: 2 }]);
  });

  it('goes on soon after an election where the leader hangs, and writes nothing twice', async () => {
    const stream = `test-${newUuid()}`;
    await store.append(stream, [happened(0)], 'no_stream');
    cluster.freeze(0);
    await expect(store.append(stream, [happened('lost')], 0n)).rejects.toThrow();
    // While nobody has seen it yet, all name the frozen node.
    await sleep(2_000);
    cluster.elect(2);
    const wanted = happened('after');
    await eventually('an append to the new leader', () =>
      store.append(stream, [wanted], 'any').then(
        () => true,
        () => false,
      ),
    );
    const after = (await store.read(stream)).filter(({ id }) => id === wanted.id);
    expect(after).toHaveLength(1);
  });

  it('finds the leader though two of the nodes hang', async () => {
    cluster.elect(2);
    cluster.freeze(0);
    cluster.freeze(1);
    const stream = `test-${newUuid()}`;
    await eventually('an append', () =>
      store.append(stream, [happened(1)], 'any').then(
        () => true,
        () => false,
      ),
    );
  });
});
