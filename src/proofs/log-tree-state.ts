import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { type Clock } from '../kernel/clock.js';
import { HealthChecks, type PartReport } from '../observability/health.js';
import { Metrics } from '../observability/metrics.js';
import { Database } from '../platform/postgres/database.js';
import { CLOCK } from '../platform/tokens.js';
import { type TreeState, treeState } from './tree-rows.js';

/** Milliseconds after which a tree that was not level with the log is reported. */
const BEHIND_FOR = 60_000;

const seconds = (time: Date | undefined): number => (time?.getTime() ?? 0) / 1_000;

const MEASURES = [
  ['log_tree_leaves', 'Leaves of the stored tree of the log', ({ leaves }) => leaves],
  ['log_tree_epoch', 'Number of the tree: above 1 after a restore of an older log', ({ epoch }) => epoch],
  [
    'log_tree_level_timestamp_seconds',
    'When the tree last held every event of the log, to ten seconds',
    ({ levelAt }) => seconds(levelAt),
  ],
  ['log_tree_signed_leaves', 'Leaves of the newest signed checkpoint', ({ signedLeaves }) => signedLeaves],
  [
    'log_tree_signed_timestamp_seconds',
    'When the newest checkpoint was signed; 0 if none was',
    ({ signedAt }) => seconds(signedAt),
  ],
] as const satisfies readonly (readonly [string, string, (state: TreeState) => number])[];

/** Tells metrics and health how far the tree is, in every process. */
@Injectable()
export class LogTreeState implements OnModuleInit {
  private readonly startedAt: number;

  constructor(
    private readonly database: Database,
    private readonly health: HealthChecks,
    private readonly metrics: Metrics,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.startedAt = clock.now().getTime();
  }

  onModuleInit(): void {
    for (const [name, help, read] of MEASURES)
      this.metrics.storedGauge(name, help, async () => read(await treeState(this.database)));
    this.health.register('log_tree', false, () => this.state());
  }

  /** After a start the tree has as long again. */
  private async state(): Promise<'up' | PartReport> {
    const { epoch, levelAt } = await treeState(this.database);
    const since = Math.max(levelAt?.getTime() ?? 0, this.startedAt);
    if (epoch === 0 || this.clock.now().getTime() - since <= BEHIND_FOR) return 'up';
    const last = levelAt?.toISOString() ?? 'never';
    return { state: 'degraded', note: `the tree of the log was last level with it at ${last}` };
  }
}
