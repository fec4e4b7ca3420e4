import { DiscoveryService } from '@nestjs/core';
import { type Config, type ProcessRole } from '../config/config.js';

export interface PeriodicOptions {
  /** Milliseconds from the end of a round to the next; up to a tenth less, so that instances do not wake together. */
  readonly every: number | ((config: Config) => number);
  /** Of the processes that do it; absent: all. */
  readonly role?: ProcessRole;
  /** One instance of all does it, and another one takes its place within seconds. Absent: each by itself. */
  readonly alone?: true;
}

/** What `Periodic` leaves at a method, for the runner to find. */
export const PERIODIC = DiscoveryService.createDecorator<PeriodicOptions>();

/**
 * A method of a provider that is called at times, with a signal that aborts when the process stops. A round that fails is logged
 * once until one succeeds, counted, and followed by the next.
 */
export const Periodic = (options: PeriodicOptions): MethodDecorator => PERIODIC(options);
