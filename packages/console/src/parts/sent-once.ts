/** Milliseconds after its answer within which the same request is a second press of the same button. */
const SAME_PRESS = 2_000;

interface Sent {
  readonly key: string;
  /** Undefined once it was lost or failed: the same request is then sent again, under the same key. */
  answer: Promise<Response> | undefined;
  isOver: boolean;
}

/** Whether nothing of the request is under way, and nothing was lost. */
const isFinal = ({ status }: Response): boolean => status < 500 && status !== 409 && status !== 429;

/**
 * Sends each POST under an Idempotency-Key, and once however often it is pressed: while it is under way and shortly after, the same
 * request gets the same answer, unless another was sent in between. One whose answer was lost is the same request again, so it is
 * neither charged nor done twice.
 */
export const sentOnce = (send: (request: Request) => Promise<Response>) => {
  const all = new Map<string, Sent>();
  const begin = (content: string): Sent => {
    for (const [other, { isOver }] of all) if (isOver) all.delete(other);
    const sent: Sent = { key: crypto.randomUUID(), answer: undefined, isOver: false };
    all.set(content, sent);
    return sent;
  };
  const end = (content: string, sent: Sent, answer: Response | undefined): void => {
    sent.isOver = answer !== undefined && isFinal(answer);
    if (!sent.isOver) sent.answer = undefined;
    else setTimeout(() => all.get(content) === sent && all.delete(content), SAME_PRESS);
  };
  return async (request: Request): Promise<Response> => {
    if (request.method !== 'POST') return send(request);
    const { url, method, headers, signal } = request;
    const body = await request.text();
    const content = `${url} ${body}`;
    const sent = all.get(content) ?? begin(content);
    if (sent.answer === undefined) {
      headers.set('Idempotency-Key', sent.key);
      sent.answer = send(new Request(url, { method, headers, signal, ...(body === '' ? {} : { body }) }));
      sent.answer.then(
        (answer) => end(content, sent, answer),
        () => end(content, sent, undefined),
      );
    }
    return (await sent.answer).clone();
  };
};
