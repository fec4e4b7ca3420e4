import { registerDecorator } from 'class-validator';
import { type Clock, systemClock } from '../../kernel/clock.js';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { type ErrorCode } from './failure.js';

/** What `read` answers for a value that does not fit. */
export const FAULTY = Symbol('faulty');

/** Where a value comes from: JSON keeps its types, a query string holds text only. */
export type Source = 'json' | 'text';

/** What a field takes. */
export interface FieldRule {
  /** The code of a value that does not fit, faults of type and length included. */
  readonly code: ErrorCode;
  /** What the field takes, said to the caller; never the value. */
  readonly detail: string;
  readonly optional: boolean;
  /** The value as the operation gets it, or FAULTY. */
  read(value: unknown, source: Source, clock: Pick<Clock, 'now'>): unknown;
}

/** The name under which class-validator knows our own fields. */
export const CONSTRAINT = 'field';

const documented = (rule: FieldRule, schema: ApiPropertyOptions): PropertyDecorator =>
  ApiProperty({ description: rule.detail, ...schema, required: !rule.optional } as ApiPropertyOptions);

/** A field decorator: registers the rule with class-validator, from where it is compiled, and feeds OpenAPI. */
export const field =
  (rule: FieldRule, schema: ApiPropertyOptions): PropertyDecorator =>
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
