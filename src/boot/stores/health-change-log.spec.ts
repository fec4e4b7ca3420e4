import { HealthChecks, type PartReport, type PartState } from '../../observability/health.js';
import { createLogger, lineageOf } from '../../observability/logging.js';
import { HealthChangeLog } from './health-change-log.js';

it('tells once when a part goes away and when it is back, with who says so', async () => {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>);
  const logger = createLogger('info', { write }, lineageOf(new Set(['api', 'jobs'])));
  const health = new HealthChecks();
  let queue: PartState | PartReport = 'up';
  health.register('queue', false, () => queue);
  const watch = new HealthChangeLog(health, logger);
  const look = async (state: PartState | PartReport): Promise<void> => {
    queue = state;
    health.changed();
    await watch.check();
  };
  await look('up');
  expect(lines).toEqual([]);
  await look({ state: 'degraded', note: 'Redis does not answer' });
  await look({ state: 'degraded', note: 'Redis does not answer' });
  await look('up');
  expect(lines).toMatchObject([
    { level: 'warn', parts: { queue: 'degraded' }, notes: { queue: 'Redis does not answer' }, role: 'api,jobs' },
    { level: 'info', parts: ['queue'], instance: expect.stringMatching(/:\d+$/) as string },
  ]);
});
