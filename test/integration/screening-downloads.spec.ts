import { readFileSync, rmSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { createServer, type Server } from 'node:https';
import { type AddressInfo } from 'node:net';
import { download, DownloadFailed } from '../../src/screening/lists/download.js';
import { certificateFolder } from '../support/certificate.js';

describe('a download', () => {
  const { folder, certFile, keyFile } = certificateFolder();
  const publisher = { url: 'https://kyc.example/list', hosts: [/^kyc\.example$/], file: 'list.xml' };
  let server: Server;
  let agents: string[] = [];

  beforeAll(async () => {
    server = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, (request, response) => {
      agents.push(request.headers['user-agent'] ?? '');
      const answers: Record<string, () => void> = {
        '/list': () => {
          const unchanged = request.headers['if-none-match'] === '"1"';
          response.writeHead(unchanged ? 304 : 200, { etag: '"1"' }).end(unchanged ? undefined : 'the list');
        },
        '/away': () => response.writeHead(302, { location: 'https://elsewhere.example/list' }).end(),
        '/down': () => response.writeHead(302, { location: 'http://kyc.example/list' }).end(),
        '/moved': () => response.writeHead(301, { location: '/list' }).end(),
        '/loop': () => response.writeHead(301, { location: '/loop' }).end(),
        '/broken': () => {
          response.writeHead(200, { 'content-length': '1000' });
          response.write('half');
          setImmediate(() => response.destroy());
        },
      };
      (answers[request.url ?? ''] ?? (() => response.writeHead(403).end()))();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  beforeEach(() => {
    agents = [];
  });

  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });

  const get = (path: string, etag: string | null = null) =>
    download(
      { ...publisher, url: `https://kyc.example${path}` },
      { etag, lastModified: null },
      {
        ca: readFileSync(certFile),
        port: (server.address() as AddressInfo).port,
        lookup: (_, { all }, found) => {
          if (all === true) found(null, [{ address: '127.0.0.1', family: 4 }]);
          else found(null, '127.0.0.1', 4);
        },
      },
    );

  it('gets the list, and hears that it has not changed', async () => {
    const answer = await get('/list');
    expect(answer).toMatchObject({ kind: 'file', etag: '"1"' });
    const file = 'file' in answer ? answer.file : undefined;
    expect(gunzipSync(file?.gzipped ?? '').toString()).toBe('the list');
    expect(await get('/list', '"1"')).toEqual({ kind: 'unchanged' });
    expect(await get('/moved')).toMatchObject({ kind: 'file' });
  });

  it('bears a user agent that OFAC answers', async () => {
    await get('/list');
    expect(agents).toEqual([expect.stringMatching(/^Mozilla\/.{32,}/)]);
  });

  it.each(['/away', '/down', '/loop', '/broken', '/forbidden'])('fails at %s', async (path) => {
    await expect(get(path)).rejects.toThrow(DownloadFailed);
  });

  it('fails where the certificate is not of the publisher', async () => {
    const other = { ...publisher, url: 'https://other.example/list', hosts: [/^other\.example$/] };
    const { port } = server.address() as AddressInfo;
    const lookup = (
      _: string,
      __: unknown,
      found: (error: null, addresses: { address: string; family: number }[]) => void,
    ) => found(null, [{ address: '127.0.0.1', family: 4 }]);
    await expect(download(other, undefined, { port, lookup: lookup as never })).rejects.toThrow(DownloadFailed);
  });
});
