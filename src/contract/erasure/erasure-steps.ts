import { invariant } from '../../kernel/invariant.js';
import { type ErasedSubject, type Erases } from './erasure-step.js';

export interface NamedStep {
  readonly kind: string;
  readonly step: Erases;
}

export interface Destroyed {
  readonly kind: string;
  readonly count: number;
}

/** The steps that the slices bring. Reactors would each end on their own, and no certificate could say that all have ended. */
export class ErasureSteps {
  constructor(private readonly find: () => readonly NamedStep[]) {}

  /** Runs all steps, one after another. The first failure ends the round, and the whole round may be repeated. */
  async run(subject: ErasedSubject): Promise<readonly Destroyed[]> {
    const steps = this.find();
    invariant(new Set(steps.map(({ kind }) => kind)).size === steps.length, 'each kind has one erasure step');
    const destroyed: Destroyed[] = [];
    for (const { kind, step } of steps) destroyed.push({ kind, count: await step.erase(subject) });
    return destroyed;
  }
}
