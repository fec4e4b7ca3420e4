import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import './request.js';

/** Says whether a request was signed by who may call its path. A slice implements it. */
export abstract class SignedSenders {
  /** Whether the headers alone may belong to a signature that counts now: otherwise the body is not read. */
  abstract mayBeSigned(request: Pick<FastifyRequest, 'headers'>): boolean;
  abstract isSigned(request: Pick<FastifyRequest, 'headers' | 'rawBody'>): boolean;
}

/** Refuses requests without a good signature on paths for signed senders. The bytes are known only after the body. */
export const checkSignatures = (
  server: FastifyInstance,
  accessHook: { refuseUnsigned(request: FastifyRequest, reply: FastifyReply): Promise<never> },
  senders: () => SignedSenders,
): void => {
  server.addHook('preHandler', (request, reply, done) => {
    const signed = request.routeOptions.config.access?.kind !== 'signed' || senders().isSigned(request);
    request.isCounted ||= signed;
    if (signed) done();
    else accessHook.refuseUnsigned(request, reply).then(() => done(), done);
  });
};
