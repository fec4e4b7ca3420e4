import { createServer, type Server } from 'node:net';
import { loadConfig } from './platform/config/load-config.js';
import { StartupError } from '@kyc/embedded-runtime/startup-error';
import { type ExternalStore, untilItAnswers, untilStoresAnswer } from './external-stores.js';

const HASTE = { reportAfter: 50, total: 600 };

const store = (ask: () => Promise<void>): ExternalStore => ({ variable: 'DATABASE_URL', place: 'postgres:5432', ask });

const refused = (): Promise<void> => Promise.reject(Object.assign(new Error('u:secret@h'), { code: 'ECONNREFUSED' }));

describe('a store that was configured', () => {
  it('is waited for without a word where it answers soon', async () => {
    const reported: string[] = [];
    await untilItAnswers(
      store(() => Promise.resolve()),
      (message) => reported.push(message),
      HASTE,
    );
    expect(reported).toEqual([]);
  });

  it('is waited for, saying once for which variable and place', async () => {
    const reported: string[] = [];
    let attempts = 0;
    const late = store(() => ((attempts += 1) < 3 ? refused() : Promise.resolve()));
    await untilItAnswers(late, (message) => reported.push(message), { ...HASTE, total: 30_000 });
    expect(reported).toEqual(['DATABASE_URL: waiting for postgres:5432, which does not answer yet (ECONNREFUSED)']);
  });

  it('that never answers ends the start with the variable, the place and the remedy, without credentials', async () => {
    const failure = untilItAnswers(store(refused), () => undefined, HASTE);
    await expect(failure).rejects.toThrow(StartupError);
    await expect(failure).rejects.toThrow(/^DATABASE_URL: .*postgres:5432 \(ECONNREFUSED\).*correct DATABASE_URL/);
    await expect(failure).rejects.not.toThrow(/secret/);
  });

  it('that never answers says what its error tells of the configuration', async () => {
    const remedy = (error: unknown): string => ` It says ${(error as { code: string }).code}.`;
    const failure = untilItAnswers({ ...store(refused), remedy }, () => undefined, HASTE);
    await expect(failure).rejects.toThrow(/start again\. It says ECONNREFUSED\.$/);
  });

  it('that says no is not asked again', async () => {
    let attempts = 0;
    const waiting = untilItAnswers(
      store(() => {
        attempts += 1;
        return Promise.reject(new StartupError('no'));
      }),
      () => undefined,
      HASTE,
    );
    await expect(waiting).rejects.toThrow('no');
    expect(attempts).toBe(1);
  });
});

/** A server that refuses every password, in the words of Postgres. */
const refusingPostgres = (code: string): Promise<Server> => {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0Mno\0\0`);
  const refusal = Buffer.alloc(5 + fields.length);
  refusal.write('E');
  refusal.writeInt32BE(4 + fields.length, 1);
  fields.copy(refusal, 5);
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(refusal));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
};

describe('the configured stores', () => {
  it.each([
    ['28P01', /password: correct them in DATABASE_URL/],
    ['3D000', /no database of that name/],
  ])('refuse to start at once where Postgres says %s', async (code, remedy) => {
    const server = await refusingPostgres(code);
    const { port } = server.address() as { port: number };
    const config = loadConfig({ DATABASE_URL: `postgresql://kyc:hunter2@127.0.0.1:${port}/kyc` });
    const failure = untilStoresAnswer(config, () => undefined);
    await expect(failure).rejects.toThrow(StartupError);
    await expect(failure).rejects.toThrow(remedy);
    await expect(failure).rejects.toThrow(`127.0.0.1:${port}`);
    await expect(failure).rejects.not.toThrow(/hunter2/);
    server.close();
  });

  it('refuse a connection string that the client does not take, without quoting it', async () => {
    const config = loadConfig({ EVENTSTORE_URL: 'esdb://admin:hunter2@es:2113?nodePreference=follower' });
    const failure = untilStoresAnswer(config, () => undefined);
    await expect(failure).rejects.toThrow(/^EVENTSTORE_URL cannot be read/);
    await expect(failure).rejects.not.toThrow(/hunter2/);
  });

  it('are none where everything is embedded', async () => {
    await expect(untilStoresAnswer(loadConfig({}), () => undefined)).resolves.toBeUndefined();
  });
});
