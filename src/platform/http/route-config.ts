import { RouteConfig } from '@nestjs/platform-fastify';
import { type FastifyContextConfig } from 'fastify';
import { type AccessRule } from './request-context.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call the route. Every route has one: the application refuses to start on a route without. */
    access?: AccessRule | { readonly kind: 'unlimited' };
    /** Members of its answer that are secrets. */
    shownOnce?: readonly string[];
  }
}

const { KEY } = RouteConfig({});

/** Adds a part to a controller method's route; Nest itself keeps only what the last decorator gave. */
export const configureRoute =
  (part: FastifyContextConfig): MethodDecorator =>
  (target, name, descriptor) => {
    const earlier = Reflect.getMetadata(KEY, descriptor.value as object) as FastifyContextConfig | undefined;
    RouteConfig({ ...earlier, ...part })(target, name, descriptor);
  };
