import { resolved, type Schema, type SchemaObject, type Schemas } from '../schemas.js';
import { code, table, text } from './html.js';

/** Deeper members are shown by the example alone. */
const DEEPEST = 4;

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'time, ISO 8601',
  date: 'date, YYYY-MM-DD',
  uuid: 'UUID',
  email: 'e-mail',
  uri: 'URL',
  binary: 'bytes',
};

const typeNames = ({ type, format, items, oneOf }: SchemaObject, schemas: Schemas): string => {
  if (oneOf !== undefined) return oneOf.map((one) => typeNames(resolved(one, schemas), schemas)).join(' or ');
  const names = (Array.isArray(type) ? (type as readonly string[]) : [type ?? 'any']).map((name) => {
    if (name === 'array') return `list of ${typeNames(resolved(items, schemas), schemas)}`;
    return name === 'string' ? (FORMATS[format ?? ''] ?? 'text') : name;
  });
  return names.join(' or ');
};

const boundsOf = (schema: SchemaObject): string => {
  const { minLength, maxLength, minimum, maximum, maxItems } = schema;
  const range = (low: number | undefined, high: number | undefined, unit: string): string[] => {
    if (low !== undefined && high !== undefined) return [`${low} to ${high.toLocaleString('en')}${unit}`];
    if (high !== undefined) return [`at most ${high.toLocaleString('en')}${unit}`];
    return low === undefined ? [] : [`at least ${low}${unit}`];
  };
  return [
    ...range(minLength, maxLength, ' characters'),
    ...range(minimum, maximum, ''),
    ...range(undefined, maxItems, ' items'),
  ].join(', ');
};

const valuesOf = (schema: SchemaObject): string => {
  const values: readonly unknown[] = schema.enum ?? [];
  return values.length === 0 ? '' : values.map((value) => code(String(value))).join(' ');
};

const described = (schema: SchemaObject, own: string | undefined): string =>
  [text(own ?? schema.description ?? ''), boundsOf(schema), valuesOf(schema)].filter((part) => part !== '').join('; ');

type Row = readonly [name: string, type: string, description: string];

export interface Member {
  readonly name: string;
  readonly schema: Schema | undefined;
  readonly isRequired: boolean;
  readonly description?: string | undefined;
}

const rowsOf = (member: Member, schemas: Schemas, depth: number): readonly Row[] => {
  const schema = resolved(member.schema, schemas);
  const inner = schema.type === 'array' ? resolved(schema.items, schemas) : schema;
  const below = depth < DEEPEST ? membersOf(inner, schema.type === 'array' ? `${member.name}[]` : member.name) : [];
  const type = `${typeNames(schema, schemas)}${member.isRequired ? '' : ', optional'}`;
  const listed = schema.type === 'array' ? { ...inner, ...schema, enum: inner.enum ?? [] } : schema;
  return [
    [code(member.name), type, described(listed, member.description)],
    ...below.flatMap((one) => rowsOf(one, schemas, depth + 1)),
  ];
};

/** The members of an object, those of objects within it by dotted names. */
const membersOf = ({ properties = {}, required = [] }: SchemaObject, within: string): readonly Member[] =>
  Object.entries(properties).map(([name, schema]) => ({
    name: within === '' ? name : `${within}.${name}`,
    schema,
    isRequired: required.includes(name),
  }));

export const memberTable = (members: readonly Member[], schemas: Schemas): string => {
  const rows = members.flatMap((member) => rowsOf(member, schemas, 1));
  return rows.length === 0 ? '' : table(['Name', 'Type', 'Meaning'], rows);
};

export const bodyTable = (schema: Schema | undefined, schemas: Schemas): string => {
  const body = resolved(schema, schemas);
  const parts = body.allOf === undefined ? [body] : body.allOf.map((part) => resolved(part, schemas));
  const inner = parts.map((part) => (part.type === 'array' ? resolved(part.items, schemas) : part));
  return memberTable(
    inner.flatMap((part) => membersOf(part, '')),
    schemas,
  );
};
