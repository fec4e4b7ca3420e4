import { EXAMPLE_VALUES } from './example-values.js';
import { type Schema, type SchemaObject, type Schemas, resolved } from './schemas.js';

const TIME = '2026-11-21T10:15:30.250Z';

const BY_FORMAT: Readonly<Record<string, unknown>> = {
  'date-time': TIME,
  date: '2026-11-21',
  uuid: '2299d17d-c755-4826-bc04-922d64cfcff8',
  email: 'maria@example.org',
  uri: 'https://shop.example.org/done',
};

const BY_TYPE: Readonly<Record<string, unknown>> = { boolean: true, null: null };

const typeOf = (type: string | readonly string[] | undefined): string | undefined =>
  typeof type === 'string' || type === undefined ? type : type.find((one) => one !== 'null');

const membersOf = (properties: Readonly<Record<string, Schema>>, schemas: Schemas): object =>
  Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, exampleOf(property, schemas, name)]));

const isNumeric = (type: string | undefined): boolean => type === 'integer' || type === 'number';

/** The example of the member's name, unless the name means a number here and a text elsewhere. */
const namedExample = (name: string, type: string | undefined): { readonly value: unknown } | undefined => {
  const value = EXAMPLE_VALUES[name];
  return name in EXAMPLE_VALUES && (!isNumeric(type) || typeof value === 'number') ? { value } : undefined;
};

const madeOf = (schema: SchemaObject, schemas: Schemas, name: string): unknown => {
  const { type, properties, items, allOf, oneOf } = schema;
  if (properties !== undefined) return membersOf(properties, schemas);
  if (allOf !== undefined) return Object.assign({}, ...allOf.map((part) => exampleOf(part, schemas, name))) as object;
  const plain = typeOf(type);
  const named = namedExample(name, plain);
  if (named !== undefined) return named.value;
  if (items !== undefined) return [exampleOf(items, schemas, name)];
  if (oneOf?.[0] !== undefined) return exampleOf(oneOf[0], schemas, name);
  if (plain === 'object') return {};
  if (isNumeric(plain)) return schema.minimum ?? 1;
  return plain === undefined ? undefined : BY_TYPE[plain];
};

/**
 * An example of the schema: its own one, or that of its kind or its name, or one of its members' examples. Undefined where none of
 * them shows: a text needs a line in EXAMPLE_VALUES, or an example of its own.
 */
export const exampleOf = (schema: Schema, schemas: Schemas, name = ''): unknown => {
  const target = resolved(schema, schemas);
  const { enum: values, format } = target;
  const example: unknown = '$ref' in schema || schema.example === undefined ? target.example : schema.example;
  if (example !== undefined) return example;
  if (values !== undefined) return (values as readonly unknown[])[0];
  if (format !== undefined && format in BY_FORMAT) return BY_FORMAT[format];
  return madeOf(target, schemas, name);
};
