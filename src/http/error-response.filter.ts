import { type Socket } from 'node:net';
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { STATUS_CODES } from 'node:http';
import { ERROR_CACHING, NO_SNIFFING } from './caching.js';
import { errorBody, HttpFailure, toFailure } from './failure.js';
import { type AccessHook } from './access-hook.js';
import { describeError, type Logger } from '../observability/logging.js';
import { type MethodTable } from './method-table.js';
import { requestIdOf } from './request-id.js';
import './request.js';

const JSON_TYPE = 'application/json; charset=utf-8';

/** The error of Node's parser for bytes that it gave up on. */
type ParserError = Error & { readonly code?: string; readonly rawPacket?: Buffer; readonly bytesParsed?: number };

const REQUEST_LINE = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ (\/[\x21-\x7e]*) HTTP\/1\.[01]\r?\n/;

/** The path of the faulty line, if it is a request line (RFC 9112 section 3). Valid requests may precede it. */
const pathOf = ({ rawPacket, bytesParsed = 0 }: ParserError): string | undefined => {
  if (rawPacket === undefined) return undefined;
  const line = rawPacket.subarray(rawPacket.lastIndexOf('\n', bytesParsed) + 1);
  return REQUEST_LINE.exec(line.toString('latin1'))?.[1];
};

/**
 * Reads the rest of the body, so that the caller gets the response. A connection closed with unread bytes is reset, and the
 * response is lost (RFC 9112 section 9.6). The timeout for a request's arrival bounds the reading.
 */
const takeTheRest = (request: FastifyRequest, reply: FastifyReply): void => {
  reply.removeHeader('connection');
  request.raw.resume();
};

/** Responds to every error with the one error body. */
@Catch()
export class ErrorResponseFilter implements ExceptionFilter {
  constructor(
    private readonly logger: Logger,
    private readonly methods: MethodTable,
    /** The URL of the documentation's page, which each error refers to. */
    private readonly documentation: string,
  ) {}

  /** Handles errors from controllers. */
  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.answer(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }

  /** Handles errors from hooks and from Fastify itself. */
  answer(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const failure = toFailure(error, request.routeOptions.bodyLimit);
    this.log(failure, error, request.id);
    request.errorCode = failure.code;
    request.refusedBeforeOperation = failure.extra.beforeOperation ?? false;
    if (failure.status === 413) takeTheRest(request, reply);
    void reply
      .code(failure.status)
      .headers({ ...ERROR_CACHING, ...failure.extra.headers })
      .type(JSON_TYPE)
      .send(errorBody(failure, request.id, this.documentation));
  }

  /** Handles requests that Node's parser gave up on. The connection closes after the response. */
  async answerSocket(error: ParserError, socket: Socket, gate: AccessHook): Promise<void> {
    if (error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const { failure, headers } = await gate.refuseUnrouted(
      this.parserFailure(error),
      socket.remoteAddress ?? 'unknown',
    );
    const requestId = requestIdOf({});
    const body = errorBody(failure, requestId, this.documentation);
    const head = Object.entries({
      ...headers,
      ...ERROR_CACHING,
      ...failure.extra.headers,
      'X-Request-Id': requestId,
      'Content-Type': JSON_TYPE,
      ...NO_SNIFFING,
      'Content-Length': String(Buffer.byteLength(body)),
      Connection: 'close',
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    if (!socket.writable) return;
    socket.end(`HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status] ?? 'Error'}\r\n${head.join('')}\r\n${body}`);
  }

  /** A method that Node does not know gets the same response as one that the path does not have. */
  private parserFailure(error: ParserError): HttpFailure {
    const path = error.code === 'HPE_INVALID_METHOD' ? pathOf(error) : undefined;
    return path === undefined ? parserFailure(error) : this.methods.failureFor(path);
  }

  private log(failure: HttpFailure, error: unknown, requestId: string): void {
    if (failure.status < 500) return;
    const level = failure.status === 500 ? 'error' : 'warn';
    this.logger[level](
      { request_id: requestId, error_code: failure.code, error: describeError(error) },
      'request failed',
    );
  }
}

const parserFailure = ({ code }: ParserError): HttpFailure => {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new HttpFailure(431, 'HEADERS_TOO_LARGE', 'The headers, or the URL, are larger than 16 KiB');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new HttpFailure(408, 'REQUEST_TIMEOUT', 'The request did not arrive in time');
    case undefined:
    default:
      return new HttpFailure(400, 'BAD_REQUEST', 'The request is not valid HTTP');
  }
};
