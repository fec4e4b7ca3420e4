import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ModuleRef } from '@nestjs/core';
import { SMTPServer } from 'smtp-server';
import { Contacts } from '../../src/kernel/contacts.js';
import { newTenantId, type TenantId } from '../../src/kernel/ids.js';
import { type Config } from '../../src/platform/config/config.js';
import { type Logger } from '../../src/observability/logging.js';
import { MailSender } from '../../src/platform/mail/mail-sender.js';
import { StoredNotices } from '../../src/platform/mail/stored-notices.js';
import { DataKeyMissing } from '../../src/platform/crypto/data-keys.js';
import { Database } from '../../src/platform/postgres/database.js';
import { createServiceDatabase } from '../support/postgres.js';

const ADDRESS = 'maria@example.org';
const tenantId = newTenantId();
const folder = mkdtempSync(join(tmpdir(), 'mail-'));
const lines: unknown[] = [];
let database: Database;
let server: SMTPServer;
let refuses = false;
const received: string[] = [];

beforeAll(async () => {
  database = new Database({ connectionString: await createServiceDatabase(), budgetMs: 10_000 });
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) =>
      refuses ? done(Object.assign(new Error(`no ${address} here`), { responseCode: 550 })) : done(),
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        received.push(Buffer.concat(chunks).toString());
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

beforeEach(async () => {
  await database.query('DELETE FROM mail_notices');
  received.length = 0;
  lines.length = 0;
  refuses = false;
});

afterAll(async () => {
  await new Promise<void>((resolve) => server.close(resolve));
  await database.close();
  rmSync(folder, { recursive: true });
});

const senderTo = (
  smtpUrl: string | undefined,
  environment: Config['environment'],
  address: string | null = ADDRESS,
  unreadable?: TenantId,
) => {
  const recipientOf = (of: TenantId) =>
    of === unreadable
      ? Promise.reject(new DataKeyMissing('k'))
      : Promise.resolve(address === null ? null : { address, link: 'https://kyc.example.org/console#i=1' });
  const contacts: Contacts = { recipientOf };
  const config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'environment' | 'dataDir'> = {
    smtpUrl,
    environment,
    mailFrom: 'no-reply@kyc.example.org',
    dataDir: folder,
  };
  const modules: Pick<ModuleRef, 'get'> = {
    get: (token: unknown) => (token === Contacts ? contacts : undefined) as never,
  };
  const logger: Pick<Logger, 'warn'> = { warn: (...line: unknown[]) => void lines.push(line) };
  return new MailSender(new StoredNotices(database), modules as ModuleRef, config as Config, logger as Logger);
};
const local = (): string => `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
const { signal } = new AbortController();
const notify = (id: string) => new StoredNotices(database).notify({ id, tenantId, subject: 'Low', text: '5 left.\n' });
const rows = () =>
  database.query<{ sent: boolean; due: boolean; attempts: number; error: string | null }>(
    'SELECT sent_at IS NOT NULL AS sent, due_at IS NOT NULL AS due, attempts, error FROM mail_notices',
  );

describe('mail to accounts', () => {
  it('is sent once for a notice, however often it is noted and looked for', async () => {
    const sender = senderTo(local(), 'sandbox');
    for (let time = 0; time < 2; time += 1) {
      await notify('one');
      await sender.send(signal);
    }
    expect(received).toHaveLength(1);
    expect(received[0]).toContain(`To: ${ADDRESS}`);
    expect(await rows()).toEqual([{ sent: true, due: false, attempts: 1, error: null }]);
  });
  it('is tried again later where the server refuses it, and neither row nor log repeats the address', async () => {
    refuses = true;
    await notify('two');
    await senderTo(local(), 'sandbox').send(signal);
    expect(await rows()).toEqual([{ sent: false, due: true, attempts: 1, error: 'EENVELOPE 550' }]);
    expect(JSON.stringify([lines, await database.query('SELECT * FROM mail_notices')])).not.toContain('maria');
    refuses = false;
    await database.query('UPDATE mail_notices SET due_at = now()');
    await senderTo(local(), 'sandbox').send(signal);
    expect(await rows()).toMatchObject([{ sent: true, attempts: 2 }]);
  });
  it('of one account whose address does not open keeps no other from its mail, and is tried again', async () => {
    const lost = newTenantId();
    await new StoredNotices(database).notify({ id: 'lost', tenantId: lost, subject: 'Low', text: '5 left.\n' });
    await notify('behind');
    await senderTo(local(), 'sandbox', ADDRESS, lost).send(signal);
    expect(received).toHaveLength(1);
    const ends = await database.query('SELECT id, sent_at IS NOT NULL AS sent, error FROM mail_notices ORDER BY id');
    expect(ends).toEqual([
      { id: 'behind', sent: true, error: null },
      { id: 'lost', sent: false, error: 'DataKeyMissing' },
    ]);
  });
  it('is sent once by two processes that both believe to be the one', async () => {
    for (let index = 0; index < 10; index += 1) await notify(`shared ${index}`);
    await Promise.all([senderTo(local(), 'sandbox').send(signal), senderTo(local(), 'sandbox').send(signal)]);
    expect(received).toHaveLength(10);
  });
  it('is given up where the address was erased', async () => {
    await notify('three');
    await senderTo(local(), 'sandbox', null).send(signal);
    expect(await rows()).toEqual([{ sent: false, due: false, attempts: 1, error: 'no address' }]);
  });
  it('is a file that only its owner can read where no server is given', async () => {
    await notify('four');
    await senderTo(undefined, 'sandbox').send(signal);
    const [name = '', ...more] = readdirSync(join(folder, 'mail'));
    expect([name, more]).toEqual([expect.stringMatching(/^[0-9a-f]{32}\.eml$/), []]);
    expect(readFileSync(join(folder, 'mail', name), 'utf8')).toContain('5 left.');
    expect(statSync(join(folder, 'mail', name)).mode & 0o777).toBe(0o600);
  });
});
