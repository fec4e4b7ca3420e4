import { type FastifyInstance } from 'fastify';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { bodyIsTooLarge } from './failure.js';

/**
 * Asks a caller that waits for it (Expect: 100-continue, RFC 9110 section 10.1.1) for the body, once nothing in the headers refuses the
 * request. A refused caller may send the body or not, so its connection ends with the answer.
 */
export const askForBodies = (server: FastifyInstance): void => {
  const waiting = new WeakSet<IncomingMessage>();
  server.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    waiting.add(request);
    server.server.emit('request', request, response);
  });
  server.addHook('preParsing', (request, reply, payload, done) => {
    const limit = request.routeOptions.bodyLimit;
    if (!waiting.has(request.raw)) done(null, payload);
    else if (Number(request.headers['content-length'] ?? 0) > limit) done(bodyIsTooLarge(limit));
    else {
      waiting.delete(request.raw);
      reply.raw.writeContinue();
      done(null, payload);
    }
  });
  server.addHook('onSend', (request, reply, payload, done) => {
    if (waiting.has(request.raw)) void reply.header('Connection', 'close');
    done(null, payload);
  });
};
