import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { type ModulesContainer } from '@nestjs/core';
import { FeatureList } from '../../platform/feature-list.js';
import { type Projection } from './projection.js';

/** The read models that a slice's module adds. */
interface ProjectionFeature {
  readonly projections: readonly Projection[];
}

const FEATURES = new FeatureList<ProjectionFeature>('projections');

/** Read models of a slice: `imports: [ProjectionsModule.forFeature({ projections: [ledger] })]`. */
@Module({})
export class ProjectionsModule {
  static forFeature(feature: ProjectionFeature): DynamicModule {
    return FEATURES.of(ProjectionsModule, [feature]);
  }
}

const sorted = (features: readonly ProjectionFeature[]): readonly Projection[] =>
  features.flatMap(({ projections }) => projections).sort((one, other) => (one.name < other.name ? -1 : 1));

/** The projections of all modules of the running application, sorted by name. */
export const registeredProjections = (modules: ModulesContainer): readonly Projection[] => sorted(FEATURES.in(modules));

/** The projections of a module and its imports, sorted by name. */
export const projectionsBelow = (module: Type): readonly Projection[] => sorted(FEATURES.below(module));
