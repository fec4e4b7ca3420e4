import { type Position } from '../../domain/screening-list.js';
import { alpha2Of } from '../../matching/countries.js';
import { birthDateOf } from './dates.js';
import { levelOfTopics } from './pep-levels.js';
import { People } from './people.js';
import { type ReadList } from './list-content.js';
import { linesOf, NotAList, type SourceFile } from './source.js';

interface Entity {
  readonly id: string;
  readonly schema: string;
  readonly properties: Readonly<Record<string, readonly string[]>>;
  readonly last_seen?: string;
}

interface Occupancy {
  readonly holder: string;
  readonly post: string;
  readonly from: string | null;
  readonly to: string | null;
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((text) => typeof text === 'string');

const isEntity = (value: unknown): value is Entity => {
  if (typeof value !== 'object' || value === null) return false;
  const { id, schema, properties } = value as Readonly<Record<string, unknown>>;
  if (typeof id !== 'string' || typeof schema !== 'string') return false;
  return typeof properties === 'object' && properties !== null && Object.values(properties).every(isTexts);
};

const entityOf = (line: string, name: string): Entity => {
  try {
    const value: unknown = JSON.parse(line);
    if (isEntity(value)) return value;
  } catch {
    // A line that is cut off ends below, like one of another kind.
  }
  throw new NotAList(`${name} has a line that is no entity of FollowTheMoney`);
};

class Entities {
  readonly people = new People();
  private readonly posts = new Map<string, Omit<Position, 'from' | 'to'>>();
  private readonly occupancies: Occupancy[] = [];
  lastSeen = '';

  add({ id, schema, properties, last_seen: seen = '' }: Entity): void {
    if (seen.slice(0, 10) > this.lastSeen) this.lastSeen = seen.slice(0, 10);
    const texts = (name: string): readonly string[] => properties[name] ?? [];
    const first = (name: string): string => texts(name)[0] ?? '';
    if (schema === 'Person') this.addPerson(id, texts);
    if (schema === 'Position') {
      const title = first('name');
      const country = alpha2Of(first('country')) ?? null;
      this.posts.set(id, { title, country, level: levelOfTopics(texts('topics'), title) });
    }
    if (schema === 'Occupancy') {
      const [from, to] = [first('startDate') || null, first('endDate') || null];
      this.occupancies.push({ holder: first('holder'), post: first('post'), from, to });
    }
    if (schema === 'Family') this.people.tie(first('person'), first('relative'), first('relationship'), 'relative');
    if (schema === 'Associate')
      this.people.tie(first('person'), first('associate'), first('relationship'), 'associate');
  }

  /** Offices may stand behind those who hold them. */
  assign(): void {
    for (const { holder, post, from, to } of this.occupancies) {
      const position = this.posts.get(post);
      if (position !== undefined) this.people.holds(holder, { ...position, from, to });
    }
  }

  private addPerson(id: string, texts: (name: string) => readonly string[]): void {
    for (const text of [...texts('name'), ...texts('alias')]) this.people.name(id, text);
    for (const text of texts('weakAlias')) this.people.name(id, text, true);
    for (const text of texts('birthDate')) this.people.born(id, birthDateOf(text));
    for (const name of ['nationality', 'citizenship', 'country', 'birthCountry']) {
      for (const text of texts(name)) this.people.of(id, text);
    }
  }
}

/** Lines of FollowTheMoney: people, positions, who holds them, family and associates. */
export const readFollowTheMoney = async (file: SourceFile): Promise<ReadList> => {
  const entities = new Entities();
  for await (const line of linesOf(file)) entities.add(entityOf(line, file.name));
  entities.assign();
  return { entries: entities.people.entries(), publishedOn: entities.lastSeen === '' ? null : entities.lastSeen };
};
