import { ANNOUNCEMENTS, type AnnouncementType } from '../../kernel/contract.js';

interface ValueSchema {
  readonly type: string | readonly string[];
  readonly items?: object;
  readonly properties?: Readonly<Record<string, ValueSchema>>;
}

const schemaOfValue = (value: unknown): ValueSchema => {
  if (Array.isArray(value)) return { type: 'array', items: value.length === 0 ? {} : schemaOfValue(value[0]) };
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, member]) => [name, schemaOfValue(member)] as const);
    return { type: 'object', properties: Object.fromEntries(members) };
  }
  if (typeof value === 'number') return { type: Number.isInteger(value) ? 'integer' : 'number' };
  return { type: typeof value };
};

/** The JSON schema of a type's data. */
export const schemaOf = (type: AnnouncementType): object => {
  const { example, optional = [], nullable = [] } = ANNOUNCEMENTS[type];
  const members = Object.entries(example).map(([name, value]) => {
    const schema = schemaOfValue(value);
    return [name, nullable.includes(name) ? { ...schema, type: [schema.type, 'null'] } : schema] as const;
  });
  const required = Object.keys(example).filter((name) => !optional.includes(name));
  return { type: 'object', properties: Object.fromEntries(members), required, example };
};
