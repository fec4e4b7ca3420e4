import { type FastifyInstance } from 'fastify';
import { type OpenAPIObject } from '@nestjs/swagger';
import { PUBLIC_DOCUMENT } from '../caching.js';
import { docsPage } from './docs-page.js';

/** Serves /openapi.json and /docs. Both are created once, at the first request for either. */
export const serveDocumentation = (server: FastifyInstance, makeDocument: () => OpenAPIObject): void => {
  let document: OpenAPIObject | undefined;
  let json: string | undefined;
  let page: string | undefined;
  const known = (): OpenAPIObject => (document ??= makeDocument());
  const access = { config: { access: { kind: 'public' as const } } };
  server.get('/openapi.json', access, (_request, reply) =>
    reply
      .header('Cache-Control', PUBLIC_DOCUMENT)
      .type('application/json; charset=utf-8')
      .send((json ??= JSON.stringify(known()))),
  );
  server.get('/docs', access, (_request, reply) =>
    reply
      .header('Cache-Control', PUBLIC_DOCUMENT)
      .type('text/html; charset=utf-8')
      .send((page ??= docsPage(known()))),
  );
};
