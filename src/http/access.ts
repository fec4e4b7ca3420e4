import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiSecurity } from '@nestjs/swagger';
import { type FastifyRequest } from 'fastify';
import './request.js';
import { type Scope } from '../kernel/scopes.js';
import { type AccessRule, type RequestContext, type Role } from './request-context.js';
import { configureRoute } from './route-config.js';
import { takenBy } from './route-parameters.js';

/** Parameter decorators run before those of their method, so what the method takes is known here. */
const accessible =
  (rule: AccessRule, ...documentation: MethodDecorator[]): MethodDecorator =>
  (target, name, descriptor) =>
    applyDecorators(configureRoute({ access: rule, takes: takenBy(target, name) }), ...documentation)(
      target,
      name,
      descriptor,
    );

/** The caller must send an X-API-Key that has this scope. */
export const RequiresKey = (scope: Scope, options: { readonly isRead?: true } = {}): MethodDecorator =>
  accessible({ kind: 'key', scope, ...options }, ApiSecurity('apiKey', [scope]));

/** The caller must send a bearer token that names an account and has this scope, for example `credentials:issue`. */
export const RequiresToken = (scope: string): MethodDecorator =>
  accessible({ kind: 'token', scope }, ApiSecurity('accessToken', [scope]));

/** The caller must send an operator's bearer token with one of these roles. */
export const RequiresRole = (...roles: Role[]): MethodDecorator =>
  accessible({ kind: 'role', roles }, ApiSecurity('operatorToken', roles));

/** Anyone may call. Requests count per IP address, by default 60 a minute. */
export const Public = (limit: { readonly perMinute?: number } = {}): MethodDecorator =>
  accessible({ kind: 'public', ...limit });

/** The route takes a body of more than a few fields. */
export const TakesBody = (bytes: number): MethodDecorator => configureRoute({ largestBody: bytes });

/** A standard says what the body holds. `form`: application/x-www-form-urlencoded is taken too. */
export const ReadsBody = (as: 'json' | 'form'): MethodDecorator => configureRoute({ readsBody: as });

/** A provider that signs its bodies may call (SignedSenders). It is not limited. */
export const RequiresSignature = (): MethodDecorator => accessible({ kind: 'signed' });

/** Passes the RequestContext to a controller method. */
export const Context = createParamDecorator(
  (_data: unknown, execution: ExecutionContext): RequestContext | undefined =>
    execution.switchToHttp().getRequest<FastifyRequest>().context as RequestContext | undefined,
);
