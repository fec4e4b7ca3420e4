import { retrying, waitBefore } from './retrying.js';

const later = (): { readonly waits: number[]; pause(milliseconds: number): Promise<void>; random(): number } => {
  const waits: number[] = [];
  return { waits, pause: (milliseconds) => Promise.resolve(void waits.push(milliseconds)), random: () => 1 };
};

const answering = (...statuses: readonly (number | Error)[]) => {
  const seen: { key: string | null; body: string }[] = [];
  const send = async (request: Request): Promise<Response> => {
    seen.push({ key: request.headers.get('Idempotency-Key'), body: await request.text() });
    const status = statuses[seen.length - 1] ?? 200;
    if (status instanceof Error) throw status;
    return new Response(null, { status, headers: status === 429 ? { 'Retry-After': '7' } : {} });
  };
  return { seen, send };
};

const POST = (): Request => new Request('http://127.0.0.1/api/v1/ingest', { method: 'POST', body: '{"a":1}' });

describe('requests that are tried again', () => {
  it('wait as the service recommends, and no longer than it recommends to try', () => {
    const waits = [1, 2, 3, 4].map((again) => waitBefore(again, 500, null, () => 1));
    expect(waits).toEqual([1_000, 2_000, 4_000, undefined]);
    expect(waitBefore(5, 503, null, () => 1)).toBe(80_000);
    expect(waitBefore(1, 429, '30', () => 0)).toBe(30_000);
    expect(waitBefore(1, 422, null, () => 1)).toBeUndefined();
  });

  it('have the same Idempotency-Key and body each time', async () => {
    const { seen, send } = answering(503, new Error('the connection broke'), 429);
    const time = later();
    const response = await retrying(send, 'recommended', 1_000, time)(POST());
    expect(response.status).toBe(200);
    expect(seen.map(({ body }) => body)).toEqual(Array.from({ length: 4 }, () => '{"a":1}'));
    expect(new Set(seen.map(({ key }) => key)).size).toBe(1);
    expect(seen[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
    expect(time.waits).toEqual([5_000, 10_000, 7_000]);
  });

  it('give the last answer, or throw the last fault', async () => {
    const failing = answering(...Array.from({ length: 9 }, () => 500));
    expect((await retrying(failing.send, 'recommended', 1_000, later())(POST())).status).toBe(500);
    expect(failing.seen).toHaveLength(4);
    const refusing = answering(...Array.from({ length: 9 }, () => new Error('refused')));
    await expect(retrying(refusing.send, 'recommended', 1_000, later())(POST())).rejects.toThrow('refused');
    expect(refusing.seen).toHaveLength(6);
  });

  it('wait for the end of their own first try, and for no other conflict', async () => {
    const conflict = (error_code: string) => () => Promise.resolve(Response.json({ error_code }, { status: 409 }));
    const time = later();
    await retrying(conflict('IDEMPOTENCY_IN_PROGRESS'), 'recommended', 1_000, time)(POST());
    expect(time.waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
    const other = later();
    const response = await retrying(conflict('CONFLICT'), 'recommended', 1_000, other)(POST());
    expect([other.waits, await response.json()]).toEqual([[], { error_code: 'CONFLICT' }]);
  });

  it('are sent once, without a key of ours, where retries are off', async () => {
    const { seen, send } = answering(503);
    expect((await retrying(send, 'never', 1_000, later())(POST())).status).toBe(503);
    expect(seen).toEqual([{ key: null, body: '{"a":1}' }]);
  });
});
