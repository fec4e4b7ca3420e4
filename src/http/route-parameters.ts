import 'reflect-metadata';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { invariant } from '../kernel/invariant.js';
import { type Shape } from './validate.js';

interface RouteArgument {
  readonly index: number;
  readonly data?: unknown;
}

/** The classes of the parameters that a controller method has from the query and from the body. */
export const takenBy = (target: object, name: string | symbol): { readonly query?: Shape; readonly body?: Shape } => {
  const given = (Reflect.getMetadata(ROUTE_ARGS_METADATA, target.constructor, name) ?? {}) as Readonly<
    Record<string, RouteArgument>
  >;
  const types = (Reflect.getMetadata('design:paramtypes', target, name) ?? []) as readonly Shape[];
  const shapeOf = (kind: RouteParamtypes): Shape | undefined => {
    const [, argument] = Object.entries(given).find(([key]) => key.startsWith(`${kind}:`)) ?? [];
    if (argument === undefined) return undefined;
    invariant(argument.data === undefined, `${String(name)} takes its query and its body whole, as a class`);
    return types[argument.index];
  };
  const [query, body] = [shapeOf(RouteParamtypes.QUERY), shapeOf(RouteParamtypes.BODY)];
  return { ...(query === undefined ? {} : { query }), ...(body === undefined ? {} : { body }) };
};
