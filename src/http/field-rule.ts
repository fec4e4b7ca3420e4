import { registerDecorator } from 'class-validator';
import { type ErrorCode } from '../kernel/error-codes.js';
import { type Clock, systemClock } from '../kernel/clock.js';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';

/** The result of `read` for an invalid value. */
export const FAULTY = Symbol('faulty');

/** The source of a value. JSON keeps its types; a query string holds only text. */
export type Source = 'json' | 'text';

/** The values that a field accepts. */
export interface FieldRule {
  /** The error code of an invalid value, also for faults of type and length. */
  readonly code: ErrorCode;
  /** Shows the caller which values the field accepts. Never contains the value. */
  readonly detail: string;
  readonly optional: boolean;
  /** Null is a value of its own. Otherwise it counts as absent. */
  readonly nullable?: boolean;
  /** The class of the objects in a list. Their names are checked as the body's are. */
  readonly items?: new () => object;
  /** Says more of an invalid value than `detail` does. Never contains the value. */
  explain?(value: unknown): string | undefined;
  /** The time in another field that this one must not precede, and its default in milliseconds before now, if it has one. */
  readonly follows?: { readonly field: string; readonly byDefault: number | undefined };
  /** The value as the operation gets it, or FAULTY. */
  read(value: unknown, source: Source, clock: Pick<Clock, 'now'>): unknown;
}

/** The name under which class-validator knows our own fields. */
export const CONSTRAINT = 'field';

/** The OpenAPI extension that names the error code of an invalid value. */
export const ERROR_CODE = 'x-error-code';

export type FieldSchema = ApiPropertyOptions & { readonly default?: unknown };

/** The default stands in the description: a member with `default` is not optional any more in most generated clients. */
const documented = (rule: FieldRule, { default: byDefault, ...schema }: FieldSchema): PropertyDecorator => {
  const { description = rule.detail } = schema;
  const options: object = {
    ...schema,
    description: byDefault === undefined ? description : `${description}. Default: ${String(byDefault)}`,
    required: !rule.optional,
    [ERROR_CODE]: rule.code,
  };
  return ApiProperty(options);
};

/** A field decorator. Registers the rule with class-validator, from which it is compiled, and with OpenAPI. */
export const field =
  (rule: FieldRule, schema: FieldSchema): PropertyDecorator =>
  (target, property) => {
    registerDecorator({
      name: CONSTRAINT,
      target: target.constructor,
      propertyName: String(property),
      constraints: [rule],
      validator: {
        validate: (value: unknown) =>
          value === undefined || value === null ? rule.optional : rule.read(value, 'json', systemClock) !== FAULTY,
        defaultMessage: () => rule.detail,
      },
    });
    documented(rule, schema)(target, property);
  };
