import { type Deployment } from '../load/deployment.js';
import { type Answer } from '../load/http.js';

const SECONDS = /^process_cpu_seconds_total ([0-9.e+-]+)/m;

/** Seconds that all threads of the service have had of the processors, as the service tells it. */
const processorSeconds = async ({ http, operator }: Deployment): Promise<number> => {
  const { text } = await http.expect(200, { path: '/metrics', token: operator.token });
  return Number(SECONDS.exec(text)?.[1]);
};

/** Requests of one kind that are measured together. */
const TOGETHER = 12;

/** Requests before that, since code is slow until the machine has compiled it. */
const FIRST = 5;

/** What a request of one kind takes. */
export interface Taken {
  /** Milliseconds of processor time. */
  readonly milliseconds: number;
  readonly statuses: readonly number[];
}

/** The processor time of a request of this kind, measured over some of them, once the service is warm. */
export const processorTimeOf = async (deployment: Deployment, send: () => Promise<Answer>): Promise<Taken> => {
  for (let sent = 0; sent < FIRST; sent += 1) await send();
  const before = await processorSeconds(deployment);
  const statuses = new Set<number>();
  for (let sent = 0; sent < TOGETHER; sent += 1) statuses.add((await send()).status);
  const after = await processorSeconds(deployment);
  return { milliseconds: ((after - before) / TOGETHER) * 1_000, statuses: [...statuses] };
};
