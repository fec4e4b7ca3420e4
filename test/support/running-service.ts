import { eventually } from './processes.js';
import { type Service, type ServiceOptions, startService } from './service.js';

/** A service with its demo account, shared by all tests of the `describe`. After a restart it refers to the new process. */
export const runningService = (options: ServiceOptions = {}): Service => {
  let present: Service | undefined;
  const service = (): Service => {
    if (present === undefined) throw new Error('the service does not run yet');
    return present;
  };
  beforeAll(async () => {
    const started = (present = await startService(options));
    await eventually('the demo account', () => started.demo());
  }, 90_000);
  afterAll(async () => {
    await service().stop();
    service().remove();
  }, 60_000);
  const restart: Service['restart'] = async (env) => (present = await service().restart(env));
  return new Proxy({} as Service, {
    get: (_, member: keyof Service) => (member === 'restart' ? restart : service()[member]),
  });
};

/** The credits of the demo account. */
export const demoCredits = async (service: Service): Promise<number> => {
  const headers = { 'X-API-Key': service.demo().api_key };
  const answer = await fetch(`${service.baseUrl}/billing/credits`, { headers, signal: AbortSignal.timeout(30_000) });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { credits: number }).credits;
};
