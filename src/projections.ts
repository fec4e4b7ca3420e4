import 'reflect-metadata';
import { AppModule } from './app.module.js';
import { projectionsBelow } from './platform/projections/projections.module.js';

/** Every read model that the application's modules bring, for whoever works on them beside the service. */
export const { projections, retired } = projectionsBelow(AppModule);
