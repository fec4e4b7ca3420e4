import { gzipSync } from 'node:zlib';
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { type OpenAPIObject } from '@nestjs/swagger';
import { PUBLIC_DOCUMENT } from '../caching.js';
import { assetOf, ASSETS } from './page/assets.js';
import { docsPage, indexPage } from './page/docs-page.js';

/** Nothing from elsewhere, and nothing that stands in the page itself, is run or applied. */
const PAGE_HEADERS = {
  'Cache-Control': PUBLIC_DOCUMENT,
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

/** The page of a reader loads several files at once. */
const ASSET_REQUESTS = 600;

export const takesGzip = ({ headers }: FastifyRequest): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(headers['accept-encoding'] ?? '');

/** Serves /, /openapi.json and /docs. Each is created once, at the first request for it. */
export const serveDocumentation = (server: FastifyInstance, makeDocument: () => OpenAPIObject): void => {
  let document: OpenAPIObject | undefined;
  const known = (): OpenAPIObject => (document ??= makeDocument());
  const access = { config: { access: { kind: 'public' as const } } };
  const serve = (
    path: string,
    type: string,
    headers: Record<string, string>,
    make: (made: OpenAPIObject) => string,
  ) => {
    let plain: string | undefined;
    let zipped: Buffer | undefined;
    server.get(path, access, (request, reply) => {
      plain ??= make(known());
      reply.headers({ ...headers, Vary: 'Accept-Encoding' }).type(`${type}; charset=utf-8`);
      if (!takesGzip(request)) return reply.send(plain);
      return reply.header('Content-Encoding', 'gzip').send((zipped ??= gzipSync(plain)));
    });
  };
  serve('/openapi.json', 'application/json', { 'Cache-Control': PUBLIC_DOCUMENT }, JSON.stringify);
  serve('/docs', 'text/html', PAGE_HEADERS, docsPage);
  serve('/', 'text/html', PAGE_HEADERS, indexPage);
  for (const name of ASSETS) serveAsset(server, name);
};

const serveAsset = (server: FastifyInstance, name: (typeof ASSETS)[number]): void => {
  const asset = assetOf(name);
  const config = { access: { kind: 'public' as const, perMinute: ASSET_REQUESTS } };
  server.get(`/docs/${name}`, { config }, async (request, reply) => {
    const isZipped = takesGzip(request);
    reply.headers({ 'Cache-Control': PUBLIC_DOCUMENT, 'X-Content-Type-Options': 'nosniff', Vary: 'Accept-Encoding' });
    if (isZipped) reply.header('Content-Encoding', 'gzip');
    return reply.type(asset.type).send(await (isZipped ? asset.zipped() : asset.plain()));
  });
};
