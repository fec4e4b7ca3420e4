import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkReceiver } from '@kyc/webhook-receiver/check-receiver';
import { ownPort } from '../../../../test/support/ports.js';
import { webhooksCommand } from '../../src/webhooks/webhooks.js';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

const dataDir = mkdtempSync(join(tmpdir(), 'webhooks-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Answers as the service does, and notes the requests. */
const fakeService = async (): Promise<readonly string[]> => {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      requests.push(`${request.method} ${request.url} ${String(request.headers['x-api-key'])} ${chunks.join('')}`);
      if (request.method === 'DELETE') return response.writeHead(204).end();
      const answer =
        request.method === 'GET' ? { webhooks: { 'claim.requested': {} } } : { id: 'whe_1', secret: SECRET };
      return response.writeHead(200).end(JSON.stringify(answer));
    });
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  writeFileSync(join(dataDir, 'demo-account.json'), JSON.stringify({ base_url, api_key: 'a-key' }));
  return requests;
};

/** Runs the command, and ends it once `until` has seen what it waits for in a line. */
const run = async (words: readonly string[], until?: (line: string) => Promise<unknown> | undefined) => {
  const lines: string[] = [];
  const stop = new AbortController();
  const print = (line: string): void => {
    lines.push(line);
    void until?.(line)?.finally(() => stop.abort());
  };
  const status = await webhooksCommand(words, { dataDir, print, signal: stop.signal });
  return { status, lines };
};

const whereItListens = (line: string): string | undefined => /^listening on (.+)$/.exec(line)?.[1];

describe('webhooks -- listen', () => {
  it('prints what arrives, verified, and what it refuses', async () => {
    const { status, lines } = await run(['listen', '--port', String(await ownPort()), '--secret', SECRET], (line) => {
      const url = whereItListens(line);
      return url === undefined ? undefined : checkReceiver({ url, secret: SECRET });
    });
    expect(status).toBe(0);
    const text = lines.join('\n');
    expect(text).toMatch(/identity\.verified {2}evt_\S+ {2}signature fine\n {4}\{/);
    expect(text).toMatch(/refused with 400: X-Service-Signature and X-Service-Timestamp are required/);
    expect(text).toMatch(/refused with 401: the signature is wrong/);
    expect(text).toMatch(/received before, attempt 2/);
  });

  it('makes an endpoint at the service for every event type, and removes it at the end', async () => {
    const requests = await fakeService();
    const port = await ownPort();
    const { status, lines } = await run(['listen', '--port', String(port), '--register'], (line) => {
      const url = whereItListens(line);
      return url === undefined ? undefined : checkReceiver({ url, secret: SECRET });
    });
    expect(status).toBe(0);
    expect(requests.map((request) => request.split(' ').slice(0, 3).join(' '))).toEqual([
      'GET /openapi.json a-key',
      'POST /api/v1/webhooks/endpoints a-key',
      'DELETE /api/v1/webhooks/endpoints/whe_1 a-key',
    ]);
    expect(requests[1]).toContain(`"url":"http://127.0.0.1:${port}/","events":["claim.requested"]`);
    expect(lines.join('\n')).toMatch(/signature fine/);
    expect(lines.at(-1)).toBe('removed endpoint whe_1');
  });

  it.each([[[]], [['--secret', SECRET, '--register']]])(
    'wants either a secret or an endpoint to make: %j',
    async (words) => {
      const { status, lines } = await run(['listen', ...words]);
      expect([status, lines]).toEqual([1, [expect.stringMatching(/^give --secret/)]]);
    },
  );

  it('says that the service does not answer', async () => {
    writeFileSync(
      join(dataDir, 'demo-account.json'),
      JSON.stringify({ base_url: `http://127.0.0.1:${await ownPort()}`, api_key: 'k' }),
    );
    const { status, lines } = await run(['listen', '--port', String(await ownPort()), '--register']);
    expect(status).toBe(1);
    expect(lines.at(-1)).toMatch(/^(there is no answer: ECONNREFUSED|fetch failed)$/);
  });
});

describe('webhooks -- check', () => {
  it('ends with 1 where a receiver breaks a rule', async () => {
    const server = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { status, lines } = await run(['check', url, '--secret', SECRET]);
    expect(status).toBe(1);
    expect(lines.filter((line) => line.startsWith('FAILED'))).toHaveLength(6);
    expect(lines.filter((line) => line.startsWith('passed'))).toHaveLength(2);
  });

  it('tells its usage where words are missing', async () => {
    expect((await run(['check', 'http://127.0.0.1:1/'])).status).toBe(2);
    expect((await run(['nonsense'])).status).toBe(2);
    expect((await run(['--help'])).status).toBe(0);
  });
});
