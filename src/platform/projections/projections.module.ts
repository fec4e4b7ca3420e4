import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { type ModulesContainer } from '@nestjs/core';
import { FeatureList } from '../feature-list.js';
import { type Projection } from './projection.js';

/** What a slice's module brings to the read models. */
export interface ProjectionFeature {
  readonly projections: readonly Projection[];
  /** Names of earlier ones, whose rows these hold: they are dropped where no older version keeps them any more. */
  readonly retired: readonly string[];
}

const FEATURES = new FeatureList<Partial<ProjectionFeature>>('projections');

/** Read models of a slice: `imports: [ProjectionsModule.forFeature({ projections: [ledger] })]`. */
@Module({})
export class ProjectionsModule {
  static forFeature(feature: Partial<ProjectionFeature>): DynamicModule {
    return FEATURES.of(ProjectionsModule, [feature]);
  }
}

const joined = (features: readonly Partial<ProjectionFeature>[]): ProjectionFeature => ({
  projections: features
    .flatMap(({ projections = [] }) => projections)
    .sort((one, other) => (one.name < other.name ? -1 : 1)),
  retired: features.flatMap(({ retired = [] }) => retired),
});

/** Of all modules of the running application, by name. */
export const registeredProjections = (modules: ModulesContainer): ProjectionFeature => joined(FEATURES.in(modules));

/** Of a module and those that it imports. */
export const projectionsBelow = (module: Type): ProjectionFeature => joined(FEATURES.below(module));
