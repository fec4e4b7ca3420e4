import { type FastifyInstance } from 'fastify';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { refuse } from '../../kernel/rejection.js';
import { isConsolePage } from './console-request.js';
import { takesGzip } from '../documentation/serve.js';

/** Nothing from elsewhere, nothing that stands in the page itself, and no text that becomes a script. */
const PAGE_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
};

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** A page loads all its files, about 50, and an office shares an address. */
const LOADS = 6_000;

const builtFolder = (): string =>
  join(dirname(createRequire(import.meta.url).resolve('@kyc/console/package.json')), 'dist');

/** Serves the pages of the console and their files. Every path of the console is one page, which finds its screen itself. */
export const serveConsole = (server: FastifyInstance): void => {
  const folder = builtFolder();
  if (!existsSync(join(folder, 'index.html'))) return;
  const access = { config: { access: { kind: 'public' as const, perMinute: LOADS } } };
  const page = readFileSync(join(folder, 'index.html'));
  for (const path of ['/console', '/console/*'])
    server.get(path, access, (request, reply) => {
      if (!isConsolePage(request.originalUrl)) throw refuse('not_found');
      return reply.headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(page);
    });
  server.get('/console/assets/*', access, () => {
    throw refuse('not_found');
  });
  for (const name of readdirSync(join(folder, 'assets'))) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    let zipped: Buffer | undefined;
    server.get(`/console/assets/${name}`, access, (request, reply) => {
      reply.headers({
        'Cache-Control': 'public, max-age=31536000, immutable',
        'Cross-Origin-Resource-Policy': 'same-origin',
        Vary: 'Accept-Encoding',
      });
      const plain = (): Buffer => readFileSync(join(folder, 'assets', name));
      if (!takesGzip(request)) return reply.type(type).send(plain());
      return reply
        .type(type)
        .header('Content-Encoding', 'gzip')
        .send((zipped ??= gzipSync(plain())));
    });
  }
};
