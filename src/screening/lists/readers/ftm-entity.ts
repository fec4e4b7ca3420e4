import { NotAList } from './source.js';

/** An entity of FollowTheMoney: a person, a thing, or a link between two. */
export interface FtmEntity {
  readonly id: string;
  readonly schema: string;
  /** YYYY-MM-DD; empty where the file does not say it. */
  readonly lastSeen: string;
  /** Whether the list is about it, or only names it. Undefined where the file does not say. */
  readonly isTarget: boolean | undefined;
  readonly texts: (property: string) => readonly string[];
  /** The first text; empty where there is none. */
  readonly first: (property: string) => string;
}

interface Line {
  readonly id: string;
  readonly schema: string;
  readonly properties: Readonly<Record<string, readonly string[]>>;
  readonly last_seen?: unknown;
  readonly target?: unknown;
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((text) => typeof text === 'string');

const isLine = (value: unknown): value is Line => {
  if (typeof value !== 'object' || value === null) return false;
  const { id, schema, properties } = value as Readonly<Record<string, unknown>>;
  if (typeof id !== 'string' || id === '' || typeof schema !== 'string') return false;
  return typeof properties === 'object' && properties !== null && Object.values(properties).every(isTexts);
};

/** Throws NotAList for a line that is cut off, or is none. `name`: of the file. */
export const ftmEntityOf = (line: string, name: string): FtmEntity => {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new NotAList(`${name} has a line that is no entity of FollowTheMoney`, { cause: error });
  }
  if (!isLine(value)) throw new NotAList(`${name} has a line that is no entity of FollowTheMoney`);
  const { id, schema, properties, last_seen: seen, target } = value;
  const texts = (property: string): readonly string[] => properties[property] ?? [];
  return {
    id,
    schema,
    lastSeen: typeof seen === 'string' ? seen.slice(0, 10) : '',
    isTarget: typeof target === 'boolean' ? target : undefined,
    texts,
    first: (property) => texts(property)[0] ?? '',
  };
};
