import { randomUUID } from 'node:crypto';
import { CALLERS_PAUSE } from './pause.js';
import { eventually, sleep } from '../processes.js';
import { type Answer, type Call, type Http, NoAnswer } from './http.js';
import { enquiry, type Person, person } from './people.js';
import { type Random } from './random.js';
import { type Tenant } from './tenants.js';

export interface IdentityTrafficOptions {
  readonly https: readonly Http[];
  readonly tenant: Tenant;
  readonly random: Random;
  readonly callers: number;
  /** Number of the first person. No other traffic ingests these people. */
  readonly newcomers: number;
}

/** An ingestion requested with a key, as its caller knows it. */
export interface KeyedIngestion {
  readonly path: string;
  /** The ids in all 202 responses to this key. */
  readonly ids: Set<string>;
  /** Undefined where no final response arrived. */
  status: number | undefined;
}

type Deed = 'ingest' | 'batch' | 'delete' | 'check' | 'restore' | 'retry' | 'move on';

const DEEDS: readonly Deed[] = [
  ...Array<Deed>(5).fill('ingest'),
  ...Array<Deed>(2).fill('batch'),
  ...Array<Deed>(5).fill('delete'),
  ...Array<Deed>(6).fill('check'),
  ...Array<Deed>(2).fill('restore'),
  ...Array<Deed>(2).fill('retry'),
  'move on',
];

const STATUSES = ['APPROVED', 'APPROVED', 'APPROVED', 'PENDING_REVIEW', 'REJECTED'] as const;
const TIERS = ['Tier1', 'Tier2', 'Tier3'] as const;

/** A person whom only one caller ingests, deletes and restores. The caller therefore knows the right outcome. */
interface Ward {
  readonly person: Person;
  identityId: string | undefined;
  /** DELETE succeeded, and no later request could restore the person. */
  gone: boolean;
  /** A change without a response may still happen at any moment, so no check is certain any more. */
  uncertain: boolean;
  readonly ingestions: string[];
}

/** Callers that ingest, ingest again, delete, restore and retry. They record contradictions. */
export class IdentityTraffic {
  readonly keyedIngestions: KeyedIngestion[] = [];
  /** Contradictions to earlier responses, in words. */
  readonly contradictions: string[] = [];
  /** The number of requests by their response. */
  readonly counts = new Map<string, number>();
  private readonly callers: Promise<void>[];
  private running = true;
  private next: number;

  constructor(private readonly options: IdentityTrafficOptions) {
    this.next = options.newcomers;
    this.callers = Array.from({ length: options.callers }, (_, index) => this.call(index, options.random.fork()));
  }

  /** Ends the traffic. Ingestions repeat with the same key until the response is final, for 30 s at most. */
  async stop(): Promise<void> {
    this.running = false;
    await Promise.all(this.callers);
  }

  count(what: string): number {
    return this.counts.get(what) ?? 0;
  }

  /** Waits until an event happened this often, for a minute at most. Throws after that. */
  async until(what: string, times: number): Promise<void> {
    await eventually(`${times} times ${what}`, () => this.count(what) >= times, 60_000);
  }

  private isRunning(): boolean {
    return this.running;
  }

  private newWard(): Ward {
    this.next += 1;
    return { person: person(this.next), identityId: undefined, gone: false, uncertain: false, ingestions: [] };
  }

  private async call(index: number, random: Random): Promise<void> {
    const wards = [this.newWard(), this.newWard()];
    for (let turn = index; this.isRunning(); turn += 1) {
      const at = random.between(0, wards.length - 1);
      const ward = wards[at] as Ward;
      const deed = random.pick(DEEDS);
      if (deed === 'move on' || ward.uncertain) wards[at] = this.newWard();
      else await this.perform(deed, ward, wards, random, turn);
      await sleep(CALLERS_PAUSE);
    }
  }

  private perform(deed: Deed, ward: Ward, wards: readonly Ward[], random: Random, turn: number): Promise<void> {
    switch (deed) {
      case 'ingest':
        return this.ingest('/api/v1/ingest', this.record(ward, random), [ward], turn);
      case 'batch':
        return this.ingestBatch(wards, random, turn);
      case 'delete':
        return this.delete(ward, random, turn);
      case 'check':
        return this.check(ward, turn);
      case 'restore':
        return this.restore(ward, turn);
      case 'retry':
        return this.retry(ward, random, turn);
      case 'move on':
        return Promise.resolve();
    }
  }

  private record({ person: one }: Ward, random: Random): object {
    return { ...one, kyc_status: random.pick(STATUSES), tier: random.pick(TIERS) };
  }

  /** Holds every person twice, so that the order within a batch matters, and one record that is refused. */
  private ingestBatch(wards: readonly Ward[], random: Random, turn: number): Promise<void> {
    const records = [...wards, ...wards].map((ward) => this.record(ward, random));
    return this.ingest('/api/v1/ingest/batch', { records: [...records, { email: 'nobody' }] }, wards, turn);
  }

  private async ingest(path: string, body: object, wards: readonly Ward[], turn: number): Promise<void> {
    const keyedIngestions: KeyedIngestion = { path, ids: new Set(), status: undefined };
    this.keyedIngestions.push(keyedIngestions);
    for (const ward of wards) ward.gone = false;
    const headers = { 'idempotency-key': randomUUID() };
    const deadline = performance.now() + 30_000;
    for (let attempt = turn; performance.now() < deadline; attempt += 1) {
      const answer = await this.send({ path, body, headers }, attempt, path);
      if (answer?.status === 202) {
        keyedIngestions.status = 202;
        const id = String(answer.json['ingestion_id'] ?? answer.json['batch_id']);
        keyedIngestions.ids.add(id);
        for (const ward of wards) ward.ingestions.push(id);
        return;
      }
      // An attempt without a response may run after the next attempt. It could undo a deletion in between.
      for (const ward of wards) ward.uncertain = true;
      await sleep(100);
    }
  }

  private async delete(ward: Ward, random: Random, turn: number): Promise<void> {
    const id = ward.identityId ?? (await this.identityIdOf(ward, turn));
    if (id === undefined) return;
    const answer = await this.send({ method: 'DELETE', path: `/api/v1/identity/${id}` }, turn, 'DELETE');
    if (answer?.status === 202) ward.gone = true;
    await this.check(ward, turn + 1);
    // An ingestion accepted now fails, unless it is processed only after the erasure.
    if (random.next() < 0.3) await this.ingest('/api/v1/ingest', this.record(ward, random), [ward], turn);
  }

  private async check(ward: Ward, turn: number): Promise<void> {
    const call = { path: '/api/v1/check-eligibility', body: enquiry(ward.person) };
    const answer = await this.send(call, turn, 'check');
    if (answer?.status !== 200 || !ward.gone || ward.uncertain) return;
    this.counts.set('checks of deleted people', this.count('checks of deleted people') + 1);
    if (answer.json['found'] === true) this.contradictions.push(`${ward.identityId} is found after its deletion`);
  }

  private async restore(ward: Ward, turn: number): Promise<void> {
    if (ward.identityId === undefined) return;
    ward.gone = false;
    const path = `/api/v1/identity/${ward.identityId}/restore`;
    const answer = await this.send({ method: 'POST', path }, turn, 'restore');
    if (answer === undefined || answer.status >= 500) ward.uncertain = true;
  }

  private async retry(ward: Ward, random: Random, turn: number): Promise<void> {
    if (ward.ingestions.length === 0) return;
    ward.gone = false;
    const path = `/api/v1/ingest/${random.pick(ward.ingestions)}/retry`;
    const answer = await this.send({ method: 'POST', path }, turn, 'retry');
    if (answer === undefined || answer.status >= 500) ward.uncertain = true;
  }

  private async identityIdOf(ward: Ward, turn: number): Promise<string | undefined> {
    const path = `/api/v1/identities?${new URLSearchParams(enquiry(ward.person)).toString()}`;
    const answer = await this.send({ path }, turn, 'identities');
    if (answer?.status !== 200) return undefined;
    const [found] = answer.json['identities'] as { identity_id: string }[];
    ward.identityId = found?.identity_id;
    return ward.identityId;
  }

  /** Calls the instances in turn. Undefined where no response arrived. */
  private async send(call: Call, turn: number, what: string): Promise<Answer | undefined> {
    const http = this.options.https[turn % this.options.https.length] as Http;
    const note = (how: string): void => void this.counts.set(`${what} ${how}`, this.count(`${what} ${how}`) + 1);
    try {
      const answer = await http.send({ ...call, apiKey: this.options.tenant.apiKey, timeoutMs: 15_000 });
      note(String(answer.status));
      if (answer.status >= 500) await sleep(20);
      return answer;
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      note('without an answer');
      await sleep(20);
      return undefined;
    }
  }
}
