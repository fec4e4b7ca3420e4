import { createClient, type ErrorBody, type KycClient } from '@kyc/client';
import { Connection, type ConnectionOptions, LoadRefused } from './connection.js';
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

const refusal = (status: number, error: ErrorBody | undefined): LoadRefused =>
  new LoadRefused(`the service answered ${status} ${String(error?.error_code)}: ${String(error?.detail)}`);

/** Sends batches until each has ended, through limits, restarts and outages. */
export class BatchClient {
  private readonly connection: Connection;
  private readonly client: KycClient;

  constructor(baseUrl: string, apiKey: string, options: ConnectionOptions = {}) {
    this.connection = new Connection(baseUrl, apiKey, options);
    // The connection is the one that tries again: a load waits longer than a caller would.
    this.client = createClient({ baseUrl: this.address, retries: 'never', fetch: this.connection.fetch });
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
    const sent = await this.client.POST('/api/v1/ingest/batch', {
      params: { header: { 'Idempotency-Key': idempotencyKey } },
      body: { records: [] },
      // Each record goes as the text that was read.
      bodySerializer: () => `{"records":[${records.join(',')}]}`,
    });
    if (sent.data !== undefined) return { batchId: sent.data.batch_id };
    return judgementOf(sent.response.status, sent.error, records.length);
  }

  /** Waits until the batch has ended; the faults of those records that were not taken. */
  async ended(batchId: string): Promise<readonly RecordFault[]> {
    for (let pause = FIRST_POLL; ; pause = Math.min(pause * 2, LATER_POLLS)) {
      await this.connection.pause(pause);
      const { data, error, response } = await this.statusOf(batchId);
      if (data === undefined) throw refusal(response.status, error);
      if (data.status !== 'accepted') return data.errors;
    }
  }

  /** Whether the account whose key this is has such a batch in this deployment. */
  async knows(batchId: string): Promise<boolean> {
    const { data, error, response } = await this.statusOf(batchId);
    if (data === undefined && response.status !== 404) throw refusal(response.status, error);
    return data !== undefined;
  }

  private statusOf(batchId: string) {
    return this.client.GET('/api/v1/ingest/{ingestionId}', { params: { path: { ingestionId: batchId } } });
  }
}

const judgementOf = (status: number, error: ErrorBody | undefined, count: number): Judgement => {
  if (status === 413) return { refused: TOO_LARGE };
  const isFault =
    error !== undefined && (status === 400 || status === 422) && error.error_code !== 'IDEMPOTENCY_MISMATCH';
  if (!isFault) throw refusal(status, error);
  const faults = faultsIn(error.errors ?? []);
  // The list of faults is limited; what it does not name is asked for in smaller batches.
  return faults.length === count ? { faults } : { refused: { code: error.error_code, detail: error.detail } };
};

const FIELD = /^records\[(\d+)\](?:\.(.+))?$/;

/** One fault a record, from the faults of their fields. A missing field outranks an invalid one. */
export const faultsIn = (errors: readonly (Fault & { readonly field: string })[]): RecordFault[] => {
  const faults = new Map<number, RecordFault>();
  for (const { field, code, detail } of errors) {
    const [, place, name] = FIELD.exec(field) ?? [];
    if (place === undefined) continue;
    const known = faults.get(Number(place));
    const faultText = name === undefined ? detail : `${name}: ${detail}`;
    faults.set(Number(place), {
      record_index: Number(place),
      code: known === undefined || code === 'MISSING_FIELD' ? code : known.code,
      detail: known === undefined ? faultText : `${known.detail}; ${faultText}`,
    });
  }
  return [...faults.values()];
};
