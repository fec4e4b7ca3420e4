import { Global, Injectable, Module } from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import { type Config, type ProcessRole } from '../config/config.js';
import { LOGGER } from '../../observability/logging.js';
import { Metrics } from '../../observability/metrics.js';
import { Leadership } from '../leadership/leadership.js';
import { CONFIG } from '../tokens.js';
import { eventually } from '../../../test/support/processes.js';
import { Periodic } from './periodic.js';
import { PeriodicRunner } from './periodic-runner.js';

const EVERY = 10;
const aWhile = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20 * EVERY));

@Injectable()
class Work {
  readonly rounds = { everywhere: 0, jobs: 0, alone: 0, failing: 0, running: 0, most: 0 };
  fails = true;
  aborted = false;

  @Periodic({ every: ({ timing }) => timing.sweepEvery })
  async everywhere(signal: AbortSignal): Promise<void> {
    this.rounds.running += 1;
    this.rounds.most = Math.max(this.rounds.most, this.rounds.running);
    await new Promise((resolve) => setTimeout(resolve, 2 * EVERY));
    this.rounds.running -= 1;
    this.rounds.everywhere += 1;
    this.aborted = signal.aborted;
  }

  @Periodic({ every: EVERY, role: 'jobs' })
  jobs(): void {
    this.rounds.jobs += 1;
  }

  @Periodic({ every: EVERY, alone: true })
  alone(): void {
    this.rounds.alone += 1;
  }

  @Periodic({ every: EVERY })
  failing(): void {
    this.rounds.failing += 1;
    if (this.fails) throw new Error('not now');
  }
}

describe('periodic work', () => {
  let leads: boolean;
  let claims: string[];
  let lines: string[];

  const start = async (roles: readonly ProcessRole[]) => {
    const note =
      (level: string) =>
      ({ work }: { readonly work: string }, message: string): number =>
        lines.push(`${level} ${work}: ${message}`);
    const leadership = { claim: ({ name }: { name: string }) => claims.push(name), holds: () => leads };
    const parts = [
      Metrics,
      { provide: CONFIG, useValue: { roles: new Set(roles), timing: { sweepEvery: EVERY } } as unknown as Config },
      { provide: LOGGER, useValue: { warn: note('warn'), info: note('info') } },
      { provide: Leadership, useValue: leadership },
    ];
    @Global()
    @Module({ providers: parts, exports: parts })
    class PartsModule {}
    @Module({
      imports: [PartsModule, DiscoveryModule],
      providers: [PeriodicRunner, Work, { provide: 'alias', useExisting: Work }],
    })
    class WorkModule {}
    const app = await NestFactory.createApplicationContext(WorkModule, { logger: false });
    const failures = async (name = 'periodic_failures_total'): Promise<string> =>
      (await app.get(Metrics).registry.getSingleMetricAsString(name)) ?? '';
    return { app, work: app.get(Work), failures };
  };

  beforeEach(() => {
    leads = true;
    claims = [];
    lines = [];
  });

  it('is done again and again by the processes of its role, never twice at once', async () => {
    const { app, work } = await start(['jobs']);
    const began = performance.now();
    await eventually('rounds', () => work.rounds.jobs > 5 && work.rounds.everywhere > 2);
    await app.close();
    expect(work.rounds.most).toBe(1);
    expect(work.rounds.everywhere * 2 * EVERY).toBeLessThanOrEqual(performance.now() - began + 2 * EVERY);
  });

  it('is not done by processes of other roles', async () => {
    const { app, work } = await start(['api']);
    await eventually('rounds', () => work.rounds.everywhere > 2);
    await app.close();
    expect(work.rounds.jobs).toBe(0);
  });

  it('is done by the leader alone, where one instance is to do it', async () => {
    leads = false;
    const { app, work } = await start(['api']);
    await aWhile();
    expect([claims, work.rounds.alone]).toEqual([['Work.alone'], 0]);
    leads = true;
    await eventually('rounds of the leader', () => work.rounds.alone > 0);
    await app.close();
  });

  it('goes on after a failure, which is counted each time and said once', async () => {
    const { app, work, failures } = await start(['api']);
    await eventually('failures', () => work.rounds.failing > 3);
    const failed = work.rounds.failing;
    expect(await failures()).toContain(`periodic_failures_total{work="Work.failing"} ${failed}`);
    expect(lines).toEqual(['warn Work.failing: periodic work failed; it is tried again']);
    work.fails = false;
    expect(await failures('periodic_failures_in_a_row')).toMatch(/{work="Work.failing"} [1-9]/);
    await eventually('a success', () => lines.length > 1);
    expect(await failures('periodic_failures_in_a_row')).toContain('{work="Work.failing"} 0');
    await aWhile();
    expect(lines.slice(1)).toEqual(['info Work.failing: periodic work succeeds again']);
    await app.close();
  });

  it('ends with the process, once the round under way has ended and was told so', async () => {
    const { app, work } = await start(['api']);
    while (work.rounds.running === 0) await new Promise((resolve) => setImmediate(resolve));
    await app.close();
    expect([work.rounds.running, work.aborted]).toEqual([0, true]);
    const before = { ...work.rounds };
    await aWhile();
    expect(work.rounds).toEqual(before);
  });
});
