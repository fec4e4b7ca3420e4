import { getMetadataStorage } from 'class-validator';
import { type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { type Clock } from '../kernel/clock.js';
import { invariant, InvariantViolation } from '../kernel/invariant.js';
import { CONSTRAINT, FAULTY, type FieldRule, type Source } from './field-rule.js';
import { bodyIsNotAnObject, type FieldFault, HttpFailure } from './failure.js';
import { nearestName } from '../kernel/nearest-name.js';
import { readStandardFields } from './standard-rules.js';

/** A class whose fields have decorators of fields.ts or of class-validator. */
export type Shape<Value extends object = object> = new () => Value;
interface Plan {
  /** Our own fields, in the order of their declaration and of the reported faults. */
  readonly rules: readonly (readonly [name: string, rule: FieldRule])[];
  /** Members with decorators of class-validator itself. */
  readonly standard: readonly string[];
  readonly names: ReadonlySet<string>;
  /** Fields that are lists of objects, with the class of those. */
  readonly lists: readonly (readonly [name: string, items: Shape])[];
}

export type Validated<Value> =
  | { readonly value: Value; readonly faults?: never }
  | { readonly value?: never; readonly faults: readonly FieldFault[] };

const plans = new WeakMap<object, Plan>();

/** class-validator collects a class's metadata anew for each call; the plan is collected once. */
const compile = (shape: Shape): Plan => {
  const metadata = getMetadataStorage().getTargetValidationMetadatas(shape, '', true, false);
  const ours = metadata.filter(({ name }) => name === CONSTRAINT);
  const standard = metadata.filter(({ name }) => name !== CONSTRAINT).map(({ propertyName }) => propertyName);
  const twice = standard.find((name) => ours.some(({ propertyName }) => propertyName === name));
  invariant(
    twice === undefined,
    `${shape.name}.${twice} has a field decorator of ours or of class-validator, not both`,
  );
  const rules = ours.map(({ propertyName, constraints }) => [propertyName, constraints[0] as FieldRule] as const);
  return {
    rules,
    standard: [...new Set(standard)],
    names: new Set(metadata.map(({ propertyName }) => propertyName)),
    lists: rules.flatMap(([name, { items }]) => (items === undefined ? [] : [[name, items] as const])),
  };
};

const planOf = (shape: Shape): Plan => {
  const known = plans.get(shape);
  if (known !== undefined) return known;
  const plan = compile(shape);
  plans.set(shape, plan);
  return plan;
};

/** The names of a shape's fields. */
export const namesOf = (shape: Shape): ReadonlySet<string> => planOf(shape).names;

/** The fields of a shape that are lists of objects. */
export const listsOf = (shape: Shape): Plan['lists'] => planOf(shape).lists;

const missing = (field: string, { detail }: FieldRule): FieldFault => ({
  field,
  code: 'MISSING_FIELD',
  detail: `The field is required: ${detail}`,
});

const invalid = (field: string, value: unknown, rule: FieldRule): FieldFault => ({
  field,
  code: rule.code,
  detail: rule.explain?.(value) ?? rule.detail,
});

/** Whether a range ends before it begins, each edge given or by default: then the start is so long ago, and the end is now. */
const isTooEarly = (
  raw: Readonly<Record<string, unknown>>,
  result: Readonly<Record<string, unknown>>,
  name: string,
  { follows }: FieldRule,
  clock: Pick<Clock, 'now'>,
): boolean => {
  if (follows === undefined) return false;
  const { field, byDefault } = follows;
  const edge = (of: string, ago: number): unknown =>
    (raw[of] ?? undefined) === undefined && byDefault !== undefined
      ? new Date(clock.now().getTime() - ago)
      : result[of];
  const [start, end] = [edge(field, byDefault ?? 0), edge(name, 0)];
  return start instanceof Date && end instanceof Date && end < start;
};

/** Checks every field of our own in `raw`. Unknown members are passed over (see unknown-names.ts); null counts as absent, but for nullable ones. */
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
      if (value === null && rule.nullable === true) result[name] = null;
      else if (!rule.optional) (faults ??= []).push(missing(name, rule));
      continue;
    }
    const read = rule.read(value, source, clock);
    if (read === FAULTY) (faults ??= []).push(invalid(name, value, rule));
    else result[name] = read;
  }
  for (const [name, rule] of planOf(shape).rules) {
    if (isTooEarly(raw, result, name, rule, clock))
      (faults ??= []).push({
        field: name,
        code: rule.code,
        detail: `A time that is not before ${rule.follows?.field}`,
      });
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

/** Most members of a body in which a misspelt name is looked for. */
const MAX_NAMES = 50;

/** Names the unknown member that was probably meant as a missing field. Only for the caller, since names may be personal. */
export const withMistakenNames = (
  faults: readonly FieldFault[],
  shape: Shape,
  raw: Readonly<Record<string, unknown>>,
): readonly FieldFault[] => {
  const { names } = planOf(shape);
  const unknown = Object.keys(raw)
    .slice(0, MAX_NAMES)
    .filter((name) => !names.has(name));
  return faults.map((fault) => {
    const meant = unknown.find((name) => nearestName(name, names) === fault.field);
    return fault.code !== 'MISSING_FIELD' || meant === undefined
      ? fault
      : { ...fault, detail: `${fault.detail}; ${JSON.stringify(meant)} stands there, which is unknown` };
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

const valueOf = <Value extends object>(
  { value, faults }: Validated<Value>,
  shape: Shape,
  raw: Readonly<Record<string, unknown>>,
): Value => {
  if (faults !== undefined) throw asFailure(withMistakenNames(faults, shape, raw));
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
    const shape = metatype as Shape;
    const validated = validate(shape, raw, this.clock, source);
    // Our own fields need no promise, which saves time on every charged request.
    return planOf(shape).standard.length === 0
      ? valueOf(validated, shape, raw)
      : validateAll(shape, raw, validated).then((all) => valueOf(all, shape, raw));
  }
}
