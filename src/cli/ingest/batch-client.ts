import { setTimeout as sleep } from 'node:timers/promises';

const TIMEOUT = 40_000;
/** How often is asked whether a batch has ended, milliseconds: soon at first, since a small one ends soon. */
const FIRST_POLL = 100;
const LATER_POLLS = 1_000;
/** Waits between tries while the service is busy, restarting or out of reach, milliseconds; the last is repeated. */
const BACKOFF = [500, 1_000, 2_000, 5_000, 10_000] as const;
const MOST_TRIES = 60;

export interface RecordFault {
  readonly record_index: number;
  readonly code: string;
  readonly detail: string;
}

/** The service refuses the load itself, for example its API key; trying again will not help. */
export class LoadRefused extends Error {
  override readonly name = 'LoadRefused';
}

interface Reply {
  readonly status: number;
  readonly retryAfter: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Sends batches until each has ended, through limits, restarts and outages. */
export class BatchClient {
  constructor(
    private readonly baseUrl: string,
    private readonly apiKey: string,
  ) {}

  /** The faults of those records that were not taken. The same key never loads twice. */
  async load(idempotencyKey: string, records: readonly unknown[]): Promise<readonly RecordFault[]> {
    const accepted = await this.persist(
      'POST',
      '/api/v1/ingest/batch',
      { 'idempotency-key': idempotencyKey },
      { records },
    );
    if (accepted.status === 422) return faultsOf422(accepted.body, records.length);
    if (accepted.status !== 202) throw refusal(accepted);
    for (let pause = FIRST_POLL; ; pause = Math.min(pause * 2, LATER_POLLS)) {
      await sleep(pause);
      const { status, body } = await this.persist('GET', `/api/v1/ingest/${String(accepted.body['batch_id'])}`);
      if (status !== 200) throw refusal({ status, body });
      if (body['status'] !== 'accepted') return body['errors'] as RecordFault[];
    }
  }

  private async persist(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>> = {},
    body?: unknown,
  ): Promise<Reply> {
    for (let tries = 0; ; tries += 1) {
      const reply = await this.send(method, path, headers, body);
      const passing = reply === undefined || reply.status === 429 || reply.status === 409 || reply.status >= 500;
      if (!passing) return reply;
      if (tries >= MOST_TRIES) throw new LoadRefused(`${method} ${path} got no answer in ${MOST_TRIES} tries`);
      const wait = BACKOFF[Math.min(tries, BACKOFF.length - 1)] ?? 0;
      await sleep(Math.max(wait, (reply?.retryAfter ?? 0) * 1_000));
    }
  }

  /** Undefined where the service could not be reached. */
  private async send(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: unknown,
  ): Promise<Reply | undefined> {
    try {
      const response = await fetch(new URL(path, this.baseUrl), {
        method,
        headers: {
          'x-api-key': this.apiKey,
          ...headers,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT),
      });
      const parsed = (await response.json()) as Record<string, unknown>;
      return { status: response.status, retryAfter: Number(response.headers.get('retry-after') ?? '0'), body: parsed };
    } catch {
      return undefined;
    }
  }
}

const refusal = ({ status, body }: Pick<Reply, 'status' | 'body'>): LoadRefused =>
  new LoadRefused(`the service answered ${status} ${String(body['error_code'])}: ${String(body['detail'])}`);

const FIELD = /^records\[(\d+)\]$/;

/** A batch without one valid record is refused whole: its first hundred faults are named, the others are alike. */
const faultsOf422 = (body: Reply['body'], count: number): RecordFault[] => {
  const errors = (body['errors'] ?? []) as readonly { field: string; code: string; detail: string }[];
  const named = new Map(errors.map(({ field, code, detail }) => [Number(FIELD.exec(field)?.[1]), { code, detail }]));
  return Array.from({ length: count }, (_, record_index) => ({
    record_index,
    ...(named.get(record_index) ?? { code: 'INVALID_FIELD', detail: String(body['detail']) }),
  }));
};
