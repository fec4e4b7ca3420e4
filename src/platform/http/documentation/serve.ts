import { type FastifyInstance } from 'fastify';
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
    let made: string | undefined;
    server.get(path, access, (_request, reply) =>
      reply
        .headers(headers)
        .type(`${type}; charset=utf-8`)
        .send((made ??= make(known()))),
    );
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
    const isZipped = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
    reply.headers({ 'Cache-Control': PUBLIC_DOCUMENT, 'X-Content-Type-Options': 'nosniff', Vary: 'Accept-Encoding' });
    if (isZipped) reply.header('Content-Encoding', 'gzip');
    return reply.type(asset.type).send(await (isZipped ? asset.zipped() : asset.plain()));
  });
};
