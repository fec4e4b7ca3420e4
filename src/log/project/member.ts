import { type Clock } from '../../kernel/clock.js';
import { type StoredEvent } from '../../kernel/events.js';
import { type Projection } from './projection.js';
import { RateMeter } from './rate-meter.js';
import { CannotApply } from './cannot-apply.js';
import { type FollowerState } from '../follow/follower.js';
import { type Checkpoint, type Writer } from './checkpoints.js';

/**
 * `failed`: an event cannot be applied; no later event is until it is set aside, or the rows are made anew. `superseded`: a newer
 * version keeps the rows. The others as of the follower.
 */
export type ProjectionState = FollowerState | 'rebuilding' | 'failed';

export interface ProjectionStatus {
  readonly projection: string;
  readonly state: ProjectionState;
  /** Commit position of the rows, as far as this instance knows; undefined while it does not lead. */
  readonly position: bigint | undefined;
  readonly eventsPerSecond: number;
  /** Age of the newest event in the rows, while there is more to read. 0 if there is no more, and on standby. */
  readonly lagSeconds: number;
  /** The event that cannot be applied. */
  readonly failedAt?: { readonly position: bigint; readonly stream: string; readonly type: string };
  readonly problem?: string;
}

/** Connections that end over one projection's rows until it is left out. The cause may lie elsewhere once. */
const LOSSES = 2;

/** One projection among those that this process keeps up to date. */
export class Member {
  /** Where it is not with the others; undefined while it is. */
  apart: 'rebuilding' | 'failed' | 'superseded' | 'waiting' | undefined;
  /** Of the rows that this process writes; undefined while it writes none. */
  epoch: string | undefined;
  position: bigint | undefined;
  /** Positions that it goes on without. */
  aside: ReadonlySet<bigint> = new Set();
  problem: Error | undefined;
  private readonly rate: RateMeter;
  private newest: Date | undefined;
  private losses = 0;

  constructor(
    readonly projection: Projection,
    private readonly clock: Clock,
  ) {
    this.rate = new RateMeter(clock);
  }

  get name(): string {
    return this.projection.name;
  }

  /** While it is written with the others. */
  get writer(): Writer | undefined {
    const { projection, epoch, apart } = this;
    return epoch === undefined || apart !== undefined ? undefined : { projection, epoch };
  }

  isBehind(position: bigint): boolean {
    return this.position === undefined || this.position < position;
  }

  /** From then on it is written with the others. */
  join({ epoch, position }: Checkpoint, aside: ReadonlySet<bigint>): void {
    this.apart = undefined;
    this.problem = undefined;
    this.epoch = epoch;
    this.position = position;
    this.aside = aside;
  }

  /** Those of a page that it has not applied, and does not go on without. */
  ownOf(events: readonly StoredEvent[]): readonly StoredEvent[] {
    const { streamPrefixes } = this.projection;
    return events.filter(
      ({ stream, position }) =>
        this.isBehind(position) &&
        !this.aside.has(position) &&
        streamPrefixes.some((prefix) => stream.startsWith(prefix)),
    );
  }

  /** The rows are committed up to here. */
  committed(events: readonly StoredEvent[], position: bigint, newest = events.at(-1)): void {
    this.rate.add(events.length);
    this.newest = newest?.created ?? this.newest;
    this.position = position;
    this.losses = 0;
  }

  /** The connection ended while its rows were written. Whether that happened so often that it is left out. */
  lostConnection(): boolean {
    this.losses += 1;
    return this.losses >= LOSSES;
  }

  leave(apart: NonNullable<Member['apart']>, problem?: Error): void {
    this.apart = apart;
    this.problem = problem;
    this.losses = 0;
  }

  /** This process no longer leads. */
  forget(): void {
    if (this.apart !== 'superseded') this.apart = undefined;
    this.problem = undefined;
    this.epoch = undefined;
    this.position = undefined;
    this.newest = undefined;
  }

  status(follower: FollowerState, isBehind: boolean): ProjectionStatus {
    const failed = this.problem instanceof CannotApply ? this.problem.event : undefined;
    // Its rows may still have to be made.
    const state = this.apart ?? (follower === 'live' && this.epoch === undefined ? 'catching_up' : follower);
    const age = this.newest === undefined ? 0 : this.clock.now().getTime() - this.newest.getTime();
    return {
      projection: this.name,
      state,
      position: this.position,
      eventsPerSecond: this.rate.perSecond(),
      lagSeconds: state !== 'live' || isBehind ? Math.max(0, age / 1_000) : 0,
      ...(failed && { failedAt: { position: failed.position, stream: failed.stream, type: failed.type } }),
      ...(this.problem && { problem: this.problem.message }),
    };
  }
}
