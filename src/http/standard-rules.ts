import { plainToInstance } from 'class-transformer';
import { validate, type ValidationError } from 'class-validator';
import { type FieldFault } from './failure.js';
import { CONSTRAINT } from './field-rule.js';

type Shape<Value extends object> = new () => Value;

const faultsOf = (error: ValidationError, path: string): FieldFault[] => {
  const field = path + error.property;
  const missing = error.value === undefined || error.value === null;
  const own = Object.entries(error.constraints ?? {})
    .filter(([name]) => name !== CONSTRAINT)
    .map(([, detail]): FieldFault =>
      missing
        ? { field, code: 'MISSING_FIELD', detail: `The field is required: ${detail}` }
        : { field, code: 'INVALID_FIELD', detail },
    );
  // One fault per field, as with our own rules.
  return [...own.slice(0, 1), ...(error.children ?? []).flatMap((child) => faultsOf(child, `${field}.`))];
};

/**
 * Reads fields with the decorators of class-validator and class-transformer, as Nest developers write them. This costs a
 * hundred times as much as our own fields. `members` lists the fields with such decorators; other fields stay untouched.
 */
export const readStandardFields = async (
  shape: Shape<object>,
  members: readonly string[],
  raw: Readonly<Record<string, unknown>>,
): Promise<{ readonly values: Readonly<Record<string, unknown>>; readonly faults: readonly FieldFault[] }> => {
  const sent = members.filter((name) => Object.hasOwn(raw, name) && raw[name] !== null);
  const instance = plainToInstance(shape, Object.fromEntries(sent.map((name) => [name, raw[name]])));
  const errors = await validate(instance, { forbidUnknownValues: false });
  const faults = errors.filter(({ property }) => members.includes(property)).flatMap((error) => faultsOf(error, ''));
  const values = instance as Record<string, unknown>;
  return { values: Object.fromEntries(sent.map((name) => [name, values[name]])), faults };
};
