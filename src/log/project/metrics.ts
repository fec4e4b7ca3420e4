import { Gauge, type Registry } from 'prom-client';
import { type ProjectionRunner } from './runner.js';

/** Lag, position, rate and failure of each projection that this process follows. */
export const observeProjections = (runner: ProjectionRunner, registry: Registry): void => {
  const gauge = (
    name: string,
    help: string,
    read: (status: ReturnType<ProjectionRunner['status']>[number]) => number,
  ) =>
    new Gauge({
      name,
      help,
      labelNames: ['projection'] as const,
      registers: [registry],
      collect() {
        for (const status of runner.status()) this.set({ projection: status.projection }, read(status));
      },
    });
  gauge(
    'projection_lag_seconds',
    'Age of the newest event in the rows while there is more to read',
    (s) => s.lagSeconds,
  );
  gauge('projection_events_per_second', 'Events applied a second', (s) => s.eventsPerSecond);
  gauge('projection_position', 'Commit position that the rows have reached, where this process leads', (s) =>
    Number(s.position ?? 0n),
  );
  gauge('projection_failed', '1 where an event cannot be applied', (s) => (s.state === 'failed' ? 1 : 0));
};
