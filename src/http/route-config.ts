import { RouteConfig } from '@nestjs/platform-fastify';
import { type FastifyContextConfig } from 'fastify';
import { type AccessRule } from './request-context.js';
import { type Shape } from './validate.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The access rule of the route. The application refuses to start if a route has none. */
    access?: AccessRule | { readonly kind: 'unlimited' };
    /** Bytes that its body may have; without it those of a few fields. */
    largestBody?: number;
    /**
     * The controller reads its body itself, since a standard says what it holds: unknown members are ignored without a word.
     * `form`: it may be a form too (RFC 6749, appendix B).
     */
    readsBody?: 'json' | 'form';
    /** Members of its response that are secrets. */
    shownOnce?: readonly string[];
    /** The classes of its query and its body. A route of a controller has this part even if it takes neither. */
    takes?: { readonly query?: Shape; readonly body?: Shape };
  }
}

const { KEY } = RouteConfig({});

/** Adds a part to a controller method's route. Nest itself keeps only the part of the last decorator. */
export const configureRoute =
  (part: FastifyContextConfig): MethodDecorator =>
  (target, name, descriptor) => {
    const earlier = Reflect.getMetadata(KEY, descriptor.value as object) as FastifyContextConfig | undefined;
    RouteConfig({ ...earlier, ...part })(target, name, descriptor);
  };
