import { getMetadataStorage } from 'class-validator';
import { type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { type Clock } from '../../kernel/clock.js';
import { invariant, InvariantViolation } from '../../kernel/invariant.js';
import { CONSTRAINT, FAULTY, type FieldRule, type Source } from './field-rule.js';
import { bodyIsNotAnObject, type FieldFault, HttpFailure } from './failure.js';
import { readStandardFields } from './standard-rules.js';

type Shape<Value extends object> = new () => Value;
interface Plan {
  /** Our own fields, in the order of their declaration and of the reported faults. */
  readonly rules: readonly (readonly [name: string, rule: FieldRule])[];
  /** Members with decorators of class-validator itself. */
  readonly standard: readonly string[];
}

export type Validated<Value> =
  | { readonly value: Value; readonly faults?: never }
  | { readonly value?: never; readonly faults: readonly FieldFault[] };

const plans = new WeakMap<object, Plan>();

/** class-validator collects a class's metadata anew for each call; the plan is collected once. */
const compile = (shape: Shape<object>): Plan => {
  const metadata = getMetadataStorage().getTargetValidationMetadatas(shape, '', true, false);
  const ours = metadata.filter(({ name }) => name === CONSTRAINT);
  const standard = metadata.filter(({ name }) => name !== CONSTRAINT).map(({ propertyName }) => propertyName);
  const twice = standard.find((name) => ours.some(({ propertyName }) => propertyName === name));
  invariant(
    twice === undefined,
    `${shape.name}.${twice} has a field decorator of ours or of class-validator, not both`,
  );
  return {
    rules: ours.map(({ propertyName, constraints }) => [propertyName, constraints[0] as FieldRule] as const),
    standard: [...new Set(standard)],
  };
};

const planOf = (shape: Shape<object>): Plan => {
  const known = plans.get(shape);
  if (known !== undefined) return known;
  const plan = compile(shape);
  plans.set(shape, plan);
  return plan;
};

const faultOf = (field: string, value: unknown, rule: FieldRule): FieldFault =>
  value === undefined || value === null
    ? { field, code: 'MISSING_FIELD', detail: 'The field is required' }
    : { field, code: rule.code, detail: rule.detail };

/** Checks every field of our own in `raw`. Unknown members are ignored; null counts as absent. */
export const validate = <Value extends object>(
  shape: Shape<Value>,
  raw: Readonly<Record<string, unknown>>,
  clock: Pick<Clock, 'now'>,
  source: Source = 'json',
): Validated<Value> => {
  const result = new shape() as Record<string, unknown>;
  let faults: FieldFault[] | undefined;
  for (const [name, rule] of planOf(shape).rules) {
    const value = Object.hasOwn(raw, name) ? raw[name] : undefined;
    if (value === undefined || value === null) {
      if (!rule.optional) (faults ??= []).push(faultOf(name, value, rule));
      continue;
    }
    const read = rule.read(value, source, clock);
    if (read === FAULTY) (faults ??= []).push(faultOf(name, value, rule));
    else result[name] = read;
  }
  return faults === undefined ? { value: result as Value } : { faults };
};

/** A missing field outranks an invalid one; `errors` lists all. */
export const asFailure = (faults: readonly FieldFault[]): HttpFailure => {
  const missing = faults.find(({ code }) => code === 'MISSING_FIELD');
  const first = missing ?? faults[0];
  if (first === undefined) throw new InvariantViolation('a failed validation has faults');
  return new HttpFailure(missing === undefined ? 422 : 400, first.code, `${first.field}: ${first.detail}`, {
    errors: faults,
    beforeOperation: true,
  });
};

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const PLAIN_TYPES: ReadonlySet<unknown> = new Set([String, Number, Boolean, Array, Object, undefined]);

/** As `validate`, and also checks the fields that have decorators of class-validator itself. */
const validateAll = async <Value extends object>(
  shape: Shape<Value>,
  raw: Readonly<Record<string, unknown>>,
  { value, faults = [] }: Validated<Value>,
): Promise<Validated<Value>> => {
  const standard = await readStandardFields(shape, planOf(shape).standard, raw);
  const all = [...faults, ...standard.faults];
  return value === undefined || all.length > 0 ? { faults: all } : { value: Object.assign(value, standard.values) };
};

const valueOf = <Value>({ value, faults }: Validated<Value>): Value => {
  if (faults !== undefined) throw asFailure(faults);
  return value;
};

/** Validates bodies and query strings whose parameter type is a class with decorators of fields.ts or of class-validator. */
export class FieldsPipe implements PipeTransform {
  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type !== 'body' && type !== 'query') return value;
    if (PLAIN_TYPES.has(metatype)) return value;
    // A request without a body has no fields.
    const raw = value ?? {};
    if (!isPlainObject(raw)) throw bodyIsNotAnObject();
    const source = type === 'body' ? 'json' : 'text';
    const shape = metatype as Shape<object>;
    const validated = validate(shape, raw, this.clock, source);
    // Our own fields need no promise, which saves time on every charged request.
    return planOf(shape).standard.length === 0
      ? valueOf(validated)
      : validateAll(shape, raw, validated).then((all) => valueOf(all));
  }
}
