import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { jest } from '@jest/globals';
import pg from 'pg';
import { EventLog } from '../../src/log/event-log.js';
import { Owner } from '../../src/log/owner.js';
import { Pages } from '../../src/log/pages.js';
import { NO_STREAM } from '../../src/log/revision.js';
import { type EventStoreNode, startEventStoreNode } from '../../src/node.js';
import { Session } from '../../src/postgres/session.js';
import { createDatabase } from '../../../../test/support/postgres.js';
import { eventually } from '../../../../test/support/processes.js';
import { connect, describeEmbedded, event, expecting, fresh, readRevisions } from './server.js';

const LOCK_HOLDERS = `SELECT l.pid FROM pg_locks l JOIN pg_database d ON d.oid = l.database
  WHERE l.locktype = 'advisory' AND l.granted AND l.classid = 1163084363 AND d.datname = current_database()`;

/** Milliseconds; after 10 s without the lock a node gives up, where another one holds it. */
const LONGER_THAN_FOR_ANOTHER_NODE = 12_000;

describeEmbedded('the owner of the log', () => {
  let databaseUrl: string;
  let node: EventStoreNode;
  let client: ReturnType<typeof connect>;
  let postgres: pg.Client;

  beforeEach(async () => {
    databaseUrl = await createDatabase();
    node = await startEventStoreNode({ databaseUrl, port: 0 });
    client = connect(node.connectionString);
    postgres = new pg.Client({ connectionString: databaseUrl });
    await postgres.connect();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await client.dispose();
    await node.stop();
    await postgres.end();
  });

  const endOwner = async () => {
    const { rows } = await postgres.query<{ pid: number }>(LOCK_HOLDERS);
    for (const { pid } of rows) await postgres.query('SELECT pg_terminate_backend($1)', [pid]);
    // Its socket closes with its process, and tells the node in a turn of its own.
    await eventually('the end of the owner', () => rows.every(({ pid }) => !existsSync(`/proc/${pid}`)));
    await setTimeout(50);
  };

  it.each(['any', 'no_stream'] as const)(
    'lost while the log is read again: nothing is acknowledged that was not written (expecting %s)',
    async (expected) => {
      await client.appendToStream(fresh(), event());
      const allBefore = Pages.prototype.allBefore;
      let losses = 0;
      jest.spyOn(Pages.prototype, 'allBefore').mockImplementation(async function (this: Pages, ...place) {
        if (losses++ === 0) await endOwner();
        return allBefore.apply(this, place);
      });
      await endOwner();
      const [stream, appended] = [fresh(), event()];
      await eventually('the append', () => client.appendToStream(stream, appended, expecting(expected)));
      expect(losses).toBeGreaterThan(1);
      expect(await readRevisions(client, stream)).toEqual([0]);
    },
  );

  it('that hangs in Postgres is ended and waited for, and not taken for another node', async () => {
    await node.stop();
    const fatal: Error[] = [];
    node = await startEventStoreNode({ databaseUrl, port: node.port, onFatal: (error) => fatal.push(error) });
    const { pid } = (await postgres.query<{ pid: number }>(LOCK_HOLDERS)).rows[0] ?? {};
    if (pid === undefined) throw new Error('nobody holds the lock');
    process.kill(pid, 'SIGSTOP');
    await client.appendToStream(fresh(), event()).catch(() => undefined);
    await setTimeout(LONGER_THAN_FOR_ANOTHER_NODE);
    process.kill(pid, 'SIGCONT');
    await eventually('an append', async () => {
      expect(fatal).toEqual([]);
      return client.appendToStream(fresh(), event());
    });
  }, 60_000);

  it('that ends between two questions about it, after a long hang, is not taken for another node', async () => {
    await node.stop();
    const waitBudget = 3_000;
    const former = await Owner.take(databaseUrl, waitBudget);
    const pid = Number(former.name.split(' ')[0]);
    process.kill(pid, 'SIGSTOP');
    former.abandon();
    const hangsUntil = Date.now() + waitBudget + 500;
    const ask = Session.prototype.query;
    jest.spyOn(Session.prototype, 'query').mockImplementation(async function (this: Session, statement, ...rest) {
      if (statement.name === 'end-holder' && Date.now() > hangsUntil) {
        process.kill(pid, 'SIGCONT');
        await eventually('its end', () => !existsSync(`/proc/${pid}`));
      }
      return ask.call(this, statement, ...rest);
    });
    const owner = await Owner.take(databaseUrl, waitBudget, former.name);
    expect(owner.lost).toBe(false);
    await owner.close();
    node = await startEventStoreNode({ databaseUrl, port: node.port });
  });

  it('writes while nothing that is read comes to its turn', async () => {
    await node.stop();
    const log = await EventLog.open(databaseUrl, () => undefined);
    jest.spyOn(log.readers, 'query').mockImplementation(() => new Promise(() => undefined));
    const appending = log.submit({
      kind: 'append',
      stream: fresh(),
      expected: NO_STREAM,
      events: [{ id: randomUUID(), type: 'tested', isJson: true, data: Buffer.from('{}'), metadata: Buffer.alloc(0) }],
      deadline: Number.POSITIVE_INFINITY,
    });
    const timeout = setTimeout(5_000, 'it still waits');
    expect(await Promise.race([appending, timeout])).toMatchObject({ kind: 'written', revision: 0 });
    await log.close();
    node = await startEventStoreNode({ databaseUrl, port: node.port });
  });

  it('is not taken by a log that was closed meanwhile', async () => {
    await node.stop();
    const log = await EventLog.open(databaseUrl, () => undefined);
    const allBefore = Pages.prototype.allBefore;
    const closed: Promise<void>[] = [];
    jest.spyOn(Pages.prototype, 'allBefore').mockImplementation(async function (this: Pages, ...place) {
      const rows = await allBefore.apply(this, place);
      closed.push(log.close());
      return rows;
    });
    await endOwner();
    await eventually('the close', () => closed.length > 0);
    await Promise.all(closed);
    await eventually('the end of the lock', async () => (await postgres.query(LOCK_HOLDERS)).rowCount === 0);
    jest.restoreAllMocks();
    node = await startEventStoreNode({ databaseUrl, port: node.port });
    expect((await client.appendToStream(fresh(), event())).success).toBe(true);
  });
});
