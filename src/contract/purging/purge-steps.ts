import { invariant } from '../../kernel/invariant.js';
import { PurgeStep, type Purges, type PurgeStepOptions } from './purge-step.js';

export interface NamedPurge extends PurgeStepOptions {
  readonly step: Purges;
}

/** The step that this object is, by the decorator of its class. */
export const purgeStepOf = (step: Purges): NamedPurge => {
  const options = Reflect.getMetadata(PurgeStep.KEY, step.constructor) as PurgeStepOptions | undefined;
  if (options === undefined) throw new TypeError(`${step.constructor.name} has no @PurgeStep`);
  return { ...options, step };
};

const inOrder = (steps: readonly NamedPurge[]): readonly NamedPurge[] => {
  const left = [...steps].sort((one, other) => (one.name < other.name ? -1 : 1));
  invariant(new Set(left.map(({ name }) => name)).size === left.length, 'each purge step has a name of its own');
  const ordered: NamedPurge[] = [];
  const isDone = (needed: string): boolean => ordered.some(({ name }) => name === needed);
  while (left.length > 0) {
    const next = left.findIndex(({ after = [] }) => after.every(isDone));
    invariant(next !== -1, `the purge steps ${left.map(({ name }) => name).join(', ')} can be put in order`);
    ordered.push(...left.splice(next, 1));
  }
  return ordered;
};

/** The steps that the slices bring. */
export class PurgeSteps {
  constructor(private readonly find: () => readonly Purges[]) {}

  /** Each after those that it needs, and otherwise by their names. */
  all(): readonly NamedPurge[] {
    return inOrder(this.find().map(purgeStepOf));
  }
}
