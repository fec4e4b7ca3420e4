import { sentOnce } from './sent-once.js';

const post = (body: string, path = '/pay'): Request =>
  new Request(`https://kyc.example.org${path}`, { method: 'POST', body });

/** Answers with these statuses in turn; 0 loses the answer. */
const world = (...statuses: readonly number[]) => {
  const [left, keys]: [number[], (string | null)[]] = [[...statuses], []];
  const send = sentOnce((request) => {
    keys.push(request.headers.get('Idempotency-Key'));
    const status = left.shift() ?? 200;
    return status === 0 ? Promise.reject(new TypeError('gone')) : Promise.resolve(new Response('{}', { status }));
  });
  return { send, keys };
};

describe('a request of the console', () => {
  it('is sent once for two presses at once, and for one right after its answer', async () => {
    const { send, keys } = world();
    const answers = await Promise.all([send(post('a')), send(post('a'))]);
    answers.push(await send(post('a')));
    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(['{}', '{}', '{}']);
    expect(keys).toEqual([expect.any(String)]);
  });

  it('is sent again under its key where its answer was lost or the service failed', async () => {
    const { send, keys } = world(0, 503, 409, 200);
    await expect(send(post('a'))).rejects.toThrow('gone');
    for (const status of [503, 409, 200]) expect((await send(post('a'))).status).toBe(status);
    expect(new Set(keys).size).toBe(1);
    expect(keys).toHaveLength(4);
  });

  it('is another one where something else was done in between, or where it says something else', async () => {
    const { send, keys } = world();
    for (const body of ['a', 'b', 'a']) await send(post(body));
    expect(new Set(keys).size).toBe(3);
  });

  it('keeps no key of another that was lost meanwhile from its repeat', async () => {
    const { send, keys } = world(0, 200, 200);
    await send(post('a')).catch(() => undefined);
    await send(post('b'));
    await send(post('a'));
    expect(keys[2]).toBe(keys[0]);
  });
});
