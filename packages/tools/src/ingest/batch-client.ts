import { type Answer, Connection, type ConnectionOptions, LoadRefused } from './connection.js';
import { type Fault, TOO_LARGE } from './lines.js';

/** How often is asked whether a batch has ended, milliseconds: soon at first, since a small one ends soon. */
const FIRST_POLL = 100;
const LATER_POLLS = 1_000;

export interface RecordFault extends Fault {
  readonly record_index: number;
}

/** What becomes of a batch: it is accepted, or refused with a fault of each record, or refused whole. */
export type Judgement =
  { readonly batchId: string } | { readonly faults: readonly RecordFault[] } | { readonly refused: Fault };

const refusal = ({ status, body }: Answer): LoadRefused =>
  new LoadRefused(`the service answered ${status} ${String(body['error_code'])}: ${String(body['detail'])}`);

/** Sends batches until each has ended, through limits, restarts and outages. */
export class BatchClient {
  private readonly connection: Connection;

  constructor(baseUrl: string, apiKey: string, options: ConnectionOptions = {}) {
    this.connection = new Connection(baseUrl, apiKey, options);
  }

  get address(): string {
    return this.connection.address;
  }

  /** The faults of those records that were not taken. The same key never loads twice. */
  async load(idempotencyKey: string, records: readonly unknown[]): Promise<readonly RecordFault[]> {
    const judgement = await this.post(
      idempotencyKey,
      records.map((record) => JSON.stringify(record)),
    );
    if ('refused' in judgement) throw new LoadRefused(`${judgement.refused.code}: ${judgement.refused.detail}`);
    return 'faults' in judgement ? judgement.faults : this.ended(judgement.batchId);
  }

  /** Sends records, each as JSON text. Returns once the batch is accepted: from then on its place in the order is fixed. */
  async post(idempotencyKey: string, records: readonly string[]): Promise<Judgement> {
    const headers = { 'idempotency-key': idempotencyKey };
    const body = `{"records":[${records.join(',')}]}`;
    return judgementOf(await this.connection.request('POST', '/api/v1/ingest/batch', headers, body), records.length);
  }

  /** Waits until the batch has ended; the faults of those records that were not taken. */
  async ended(batchId: string): Promise<readonly RecordFault[]> {
    for (let pause = FIRST_POLL; ; pause = Math.min(pause * 2, LATER_POLLS)) {
      await this.connection.pause(pause);
      const answered = await this.connection.request('GET', `/api/v1/ingest/${batchId}`);
      if (answered.status !== 200) throw refusal(answered);
      if (answered.body['status'] !== 'accepted') return answered.body['errors'] as RecordFault[];
    }
  }

  /** Whether the account whose key this is has such a batch in this deployment. */
  async knows(batchId: string): Promise<boolean> {
    const answered = await this.connection.request('GET', `/api/v1/ingest/${batchId}`);
    if (answered.status !== 200 && answered.status !== 404) throw refusal(answered);
    return answered.status === 200;
  }
}

const judgementOf = (answered: Answer, count: number): Judgement => {
  const { status, body } = answered;
  const code = body['error_code'];
  if (status === 202) return { batchId: String(body['batch_id']) };
  if (status === 413) return { refused: TOO_LARGE };
  if ((status !== 400 && status !== 422) || typeof code !== 'string' || code === 'IDEMPOTENCY_MISMATCH')
    throw refusal(answered);
  const faults = faultsIn(body['errors']);
  // The list of faults is limited; what it does not name is asked for in smaller batches.
  return faults.length === count ? { faults } : { refused: { code, detail: String(body['detail']) } };
};

const FIELD = /^records\[(\d+)\](?:\.(.+))?$/;

/** One fault a record, from the faults of their fields. A missing field outranks an invalid one. */
const faultsIn = (errors: unknown): RecordFault[] => {
  const faults = new Map<number, RecordFault>();
  for (const { field, code, detail } of (errors ?? []) as readonly (Fault & { readonly field: string })[]) {
    const [, place, name] = FIELD.exec(field) ?? [];
    if (place === undefined) continue;
    const known = faults.get(Number(place));
    const said = name === undefined ? detail : `${name}: ${detail}`;
    faults.set(Number(place), {
      record_index: Number(place),
      code: known === undefined || code === 'MISSING_FIELD' ? code : known.code,
      detail: known === undefined ? said : `${known.detail}; ${said}`,
    });
  }
  return [...faults.values()];
};
