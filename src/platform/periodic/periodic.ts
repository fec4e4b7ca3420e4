import { DiscoveryService } from '@nestjs/core';
import { type Config, type ProcessRole } from '../config/config.js';

export interface PeriodicOptions {
  /** Milliseconds from the end of a round to the next. Up to a tenth less, so that instances do not wake together. */
  readonly every: number | ((config: Config) => number);
  /** Processes with this role do it; if absent, all do. */
  readonly role?: ProcessRole;
  /**
   * One instance leads and does it, and another takes over within seconds. If absent, each instance does it. The signal of a round
   * aborts where the lead is lost: it begins nothing more, and only what it has begun may overlap with the next leader's.
   */
  readonly alone?: true;
}

/** The metadata that `Periodic` sets on a method and the runner reads. */
export const PERIODIC = DiscoveryService.createDecorator<PeriodicOptions>();

/**
 * Marks a provider's method for periodic calls, with a signal that aborts when the process stops. A failed round is
 * counted and followed by the next. Only the first failure before a success is logged.
 */
export const Periodic = (options: PeriodicOptions): MethodDecorator => PERIODIC(options);
