import { FastifyAdapter } from '@nestjs/platform-fastify';
import { type FastifyInstance, type FastifyReply } from 'fastify';
import { RawResponse } from './responses.js';

/** Nest's Fastify adapter. Sends raw responses unchanged and leaves error handling to this layer. */
export class HttpAdapter extends FastifyAdapter {
  override reply(response: FastifyReply, body: unknown, statusCode?: number): FastifyReply {
    if (!(body instanceof RawResponse)) return super.reply(response, body, statusCode);
    return response.code(body.status).headers(body.headers).type(body.contentType).send(body.body);
  }

  /** Disabled, since Nest's own handlers would respond in their own shape. */
  override setErrorHandler(): FastifyInstance {
    return this.getInstance<FastifyInstance>();
  }

  override setNotFoundHandler(): FastifyInstance {
    return this.getInstance<FastifyInstance>();
  }
}
