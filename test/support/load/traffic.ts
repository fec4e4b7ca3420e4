import { randomUUID } from 'node:crypto';
import { applicationOf } from '../credentials.js';
import { CALLERS_PAUSE } from './pause.js';
import { sleep } from '../processes.js';
import { type Call, type Http, NoAnswer } from './http.js';
import { type Attempt, type Errand, finalOf, type Kind } from './journal.js';
import { enquiry, person } from './people.js';
import { type Random } from './random.js';
import { type Operator, type Tenant } from './tenants.js';

export interface TrafficOptions {
  readonly https: readonly Http[];
  readonly tenant: Tenant;
  readonly operator: Operator;
  readonly random: Random;
  readonly callers: number;
  /** People in the network have the numbers from 0 to this one. */
  readonly known: number;
  /** The first person to ingest. Each ingestion takes the next number. */
  readonly newcomers: number;
  /** Kinds of requests, each as often as it is to be chosen. The default is checks, ingestions and adjustments. */
  readonly mix?: readonly Kind[];
  /** A token of the first instance that may issue credentials; needed where the mix issues. */
  readonly bearer?: string;
  /** Goes on with what was answered, as a caller does. */
  readonly answered?: (errand: Errand) => Promise<void>;
}

/** Credits of one adjustment of the traffic. */
export const ADJUSTMENT = 100;

const MIX: readonly Kind[] = [
  ...Array<Kind>(12).fill('check'),
  ...Array<Kind>(6).fill('ingest'),
  ...Array<Kind>(2).fill('adjust'),
];

/** After these statuses the same key is sent again, since the outcome is undecided. */
const isUndecided = ({ status }: Attempt): boolean =>
  status === undefined || status >= 500 || status === 409 || status === 429;

interface Planned extends Errand {
  readonly call: Call;
}

/** Callers that check, ingest and top up until they are stopped. They record every request. */
export class Traffic {
  readonly errands: Planned[] = [];
  private readonly callers: Promise<void>[];
  private running = true;
  private newcomers: number;

  constructor(private readonly options: TrafficOptions) {
    this.newcomers = options.newcomers;
    this.callers = Array.from({ length: options.callers }, (_, index) => this.call(index, options.random.fork()));
  }

  get attempts(): Attempt[] {
    return this.errands.flatMap(({ attempts }) => attempts);
  }

  /** Ends the traffic. Requests with a key repeat until the response is final, for at most `milliseconds`. */
  async stop(milliseconds = 30_000): Promise<void> {
    this.running = false;
    await Promise.all(this.callers);
    const deadline = performance.now() + milliseconds;
    const unfinished = this.errands.filter(({ key, attempts }) => key !== undefined && attempts.every(isUndecided));
    await Promise.all(unfinished.map((errand, index) => this.repeat(errand, index, deadline)));
  }

  private async call(index: number, random: Random): Promise<void> {
    while (this.isRunning()) {
      const errand = this.plan(random);
      this.errands.push(errand);
      await this.attempt(errand, index);
      for (
        let tries = 0;
        this.isRunning() && errand.key !== undefined && this.undecided(errand) && tries < 5;
        tries += 1
      ) {
        await sleep(50);
        await this.attempt(errand, index + tries);
      }
      if (finalOf(errand) !== undefined) await this.options.answered?.(errand);
      // Refusals and broken connections return at once. A real caller would not repeat that fast.
      await sleep(this.undecided(errand) ? 20 : CALLERS_PAUSE);
    }
  }

  private isRunning(): boolean {
    return this.running;
  }

  private undecided({ attempts }: Errand): boolean {
    const last = attempts.at(-1);
    return last === undefined || isUndecided(last);
  }

  private async repeat(errand: Planned, index: number, deadline: number): Promise<void> {
    while (finalOf(errand) === undefined && performance.now() < deadline) {
      await this.attempt(errand, index);
      if (!this.undecided(errand)) return;
      await sleep(100);
    }
  }

  private plan(random: Random): Planned {
    const kind = random.pick(this.options.mix ?? MIX);
    const keyed = kind === 'ingest' || kind === 'adjust' || random.next() < 0.3;
    return { kind, key: keyed ? randomUUID() : undefined, attempts: [], call: this.callFor(kind, random) };
  }

  private callFor(kind: Kind, random: Random): Call {
    const { tenant, operator, known } = this.options;
    switch (kind) {
      case 'check':
        return {
          path: '/api/v1/check-eligibility',
          apiKey: tenant.apiKey,
          body: enquiry(person(random.between(0, 2 * known))),
        };
      case 'issue':
      case 'offer':
        return {
          path: kind === 'issue' ? '/api/v1/issue' : '/api/v1/issue/offer',
          token: this.options.bearer,
          body: applicationOf(person(random.between(0, known - 1))),
        };
      case 'ingest':
        this.newcomers += 1;
        return {
          path: '/api/v1/ingest',
          apiKey: tenant.apiKey,
          body: { ...person(this.newcomers), kyc_status: 'APPROVED', tier: 'Tier3' },
        };
      case 'adjust':
        return {
          path: `/admin/accounts/${tenant.tenantId}/credits`,
          token: operator.token,
          body: { amount: ADJUSTMENT, reason: 'Topped up under load' },
        };
    }
  }

  private async attempt(errand: Planned, index: number): Promise<void> {
    const requestId = randomUUID();
    // Only the instance that issued an operator's token knows it.
    const instance = errand.call.token === undefined ? index % this.options.https.length : 0;
    const http = this.options.https[instance] as Http;
    const headers = {
      'x-request-id': requestId,
      ...(errand.key === undefined ? {} : { 'idempotency-key': errand.key }),
    };
    const at = performance.now();
    try {
      const answer = await http.send({ ...errand.call, headers, timeoutMs: 15_000 });
      const revision = answer.header('x-ledger-revision');
      errand.attempts.push({
        requestId,
        at,
        took: answer.took,
        status: answer.status,
        code: answer.status < 400 ? undefined : answer.code,
        text: answer.text,
        replayed: answer.header('idempotency-replayed') === 'true',
        revision: revision === undefined ? undefined : BigInt(revision),
      });
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      const nothing = { status: undefined, code: undefined, text: error.message, replayed: false, revision: undefined };
      errand.attempts.push({ requestId, at, took: performance.now() - at, ...nothing });
    }
  }
}
