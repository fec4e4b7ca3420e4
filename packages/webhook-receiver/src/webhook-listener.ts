import { type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { OnceEach } from './once-each.js';
import { type Verification, verifyWebhook, type VerifyOptions, type WebhookEvent } from './verify-webhook.js';

/** The service's bodies have 20 KB at most. */
const MAX_BODY_BYTES = 64 * 1_024;

export interface Arrival {
  readonly event: WebhookEvent;
  readonly attempt: number;
}

export interface ListenerOptions extends VerifyOptions {
  /** The endpoint's secret. With an array, those of several endpoints, or old and new while one is rotated. */
  readonly secret: string | readonly string[];
  /** Handles an event once. If it throws, the answer is 500 and the service delivers again. */
  readonly onEvent: (arrival: Arrival) => Promise<void> | void;
  readonly onDuplicate?: (arrival: Arrival) => void;
  readonly onRefused?: (refusal: Extract<Verification, { valid: false }>) => void;
}

/** The body's bytes; undefined if there are too many. */
const rawBodyOf = async (request: IncomingMessage): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/** The service asks an address once whether it wants events; the answer shows the secret without sending it. */
const challengeOf = ({ event_type: type, event_data: data }: WebhookEvent): string | undefined =>
  type === 'endpoint.verification' && typeof data['challenge'] === 'string' ? data['challenge'] : undefined;

const answer = (response: ServerResponse, status: number, text: string): void => {
  response.writeHead(status, { 'Content-Type': 'text/plain' }).end(`${text}\n`);
};

/** A receiver for `http.createServer`: 400 where headers are missing, 401 where the signature is wrong, 200 once it is handled. */
export const webhookListener = (options: ListenerOptions): RequestListener => {
  const onceEach = new OnceEach();
  const statusFor = async (request: IncomingMessage): Promise<readonly [status: number, text: string]> => {
    if (request.method !== 'POST') return [405, 'webhooks are sent by POST'];
    const rawBody = await rawBodyOf(request);
    if (rawBody === undefined) return [413, 'the body is too large'];
    const verified = verifyWebhook(rawBody, request.headers, options.secret, options);
    if (!verified.valid) {
      options.onRefused?.(verified);
      return [verified.status, verified.reason];
    }
    const challenge = challengeOf(verified.event);
    if (challenge !== undefined) return [200, verified.proof(challenge)];
    const isFirst = await onceEach.run(verified.event.id, async () => options.onEvent(verified));
    if (!isFirst) options.onDuplicate?.(verified);
    return [200, isFirst ? 'received' : 'received before'];
  };
  return (request, response) => {
    statusFor(request).then(
      ([status, text]) => answer(response, status, text),
      () => answer(response, 500, 'not handled; please deliver it again'),
    );
  };
};
