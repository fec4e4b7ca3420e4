import { readFileSync } from 'node:fs';
import { type Socket } from 'node:net';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type Config } from '../platform/config/config.js';
import { routedPath } from './console/console-request.js';
import { pathOfTarget } from './request-target.js';
import { requestIdOf } from './request-id.js';

/** Bytes of a body with a few fields. A route that takes more says so. */
export const USUAL_BODY = 16_384;
/** Twenty views of 2 KiB, and their names. */
export const VIEWS_BODY = 65_536;
/** Bytes of what a wallet shows, encrypted: certificates, digests and disclosures. */
export const PRESENTATION_BODY = 65_536;
/** Bytes of a record with free-form data. */
export const RECORD_BODY = 32_768;
/** Bytes of a batch of records. */
export const BATCH_BODY = 1_048_576;
/** Bytes of a provider's event: an invoice has many lines. */
export const SIGNED_BODY = 262_144;
/** Node keeps all headers; their size is limited, and their number by our own refusal. */
export const EVERY_HEADER = 0;
/** Milliseconds for a request to arrive whole. */
const ARRIVAL = 30_000;

/** Responds if Fastify or Node gave up on a request before routing. It is known only after the server exists. */
export interface UnroutedResponses {
  readonly framework: (error: Error, request: FastifyRequest, reply: FastifyReply) => void;
  readonly socket: (error: Error, socket: Socket) => void;
}

/** Node would refuse a missing Host by itself, with neither headers nor the error body. */
const transportOptions = (tls: Config['tls']) =>
  tls === undefined
    ? { http: { requireHostHeader: false } }
    : {
        https: {
          requireHostHeader: false,
          cert: readFileSync(tls.certFile),
          key: readFileSync(tls.keyFile),
        },
      };

/** The options of every server in the process. */
export const serverOptions = (config: Pick<Config, 'tls' | 'keepAlive'>, unrouted: UnroutedResponses) => ({
  bodyLimit: USUAL_BODY,
  requestTimeout: ARRIVAL,
  keepAliveTimeout: config.keepAlive * 1_000,
  routerOptions: { maxParamLength: 256 },
  rewriteUrl: ({ url }: { readonly url?: string | undefined }): string => routedPath(pathOfTarget(url)),
  frameworkErrors: unrouted.framework,
  clientErrorHandler: unrouted.socket,
  skipMiddie: true,
  requestIdHeader: false as const,
  genReqId: ({ headers }: { headers: Parameters<typeof requestIdOf>[0] }): string => requestIdOf(headers),
  // While closing, requests on open connections are still served; the connections end with them.
  return503OnClosing: false,
  forceCloseConnections: 'idle' as const,
  ...transportOptions(config.tls),
});
