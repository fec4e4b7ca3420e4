import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { type ModulesContainer } from '@nestjs/core';
import { FeatureList } from '../feature-list.js';
import { type Projection } from './projection.js';

/** The read models that a slice's module adds. */
export interface ProjectionFeature {
  readonly projections: readonly Projection[];
  /** Names of earlier projections that these replace. Their rows are dropped once no older version keeps them up to date. */
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

/** The projections of all modules of the running application, sorted by name. */
export const registeredProjections = (modules: ModulesContainer): ProjectionFeature => joined(FEATURES.in(modules));

/** The projections of a module and its imports, sorted by name. */
export const projectionsBelow = (module: Type): ProjectionFeature => joined(FEATURES.below(module));
