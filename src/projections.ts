import 'reflect-metadata';
import { AppModule } from './app.module.js';
import { projectionsBelow } from './log/project/projections.module.js';

/** Every read model of the application's modules, for tools that work on them beside the service. */
export const projections = projectionsBelow(AppModule);
