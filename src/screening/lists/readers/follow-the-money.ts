import { type ListEntry } from '../../domain/list-entry.js';
import { type PepLevel, type Position, type ScreeningKind } from '../../domain/screening-list.js';
import { alpha2Of } from '../../matching/countries.js';
import { birthDateOf, isoDay } from './dates.js';
import { type FtmEntity, ftmEntityOf } from './ftm-entity.js';
import { FtmThings } from './ftm-things.js';
import { type ReadList } from './list-content.js';
import { levelOfTopics } from './pep-levels.js';
import { People } from './people.js';
import { linesOf, type SourceFile } from './source.js';

interface Occupancy {
  readonly holder: string;
  readonly post: string;
  readonly from: string | null;
  readonly to: string | null;
}

const COUNTRIES = ['nationality', 'citizenship', 'country', 'birthCountry'];

/** Office holders of a file, and those close to them. */
class OfficeHolders {
  private readonly people = new People();
  private readonly posts = new Map<string, Omit<Position, 'from' | 'to'>>();
  private readonly occupancies: Occupancy[] = [];
  /** Persons that the source calls exposed, or close to one who is, whatever it says of their offices. */
  private readonly called = new Map<string, PepLevel>();
  /** Offices that stand in a person's own record, by the person. */
  private readonly named = new Map<string, Position[]>();

  add({ id, schema, texts, first }: FtmEntity): void {
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
  entries(): ListEntry[] {
    const holders = new Set<string>();
    for (const { holder, post, from, to } of this.occupancies) {
      const position = this.posts.get(post);
      if (position === undefined) continue;
      holders.add(holder);
      this.people.holds(holder, { ...position, from, to });
    }
    for (const [id, positions] of this.named) {
      if (!holders.has(id)) positions.forEach((position) => this.people.holds(id, position));
    }
    return this.people.entries((id) => this.called.get(id));
  }

  private addPerson(id: string, texts: FtmEntity['texts']): void {
    for (const text of [...texts('name'), ...texts('alias')]) this.people.name(id, text);
    for (const text of texts('weakAlias')) this.people.name(id, text, true);
    for (const text of texts('birthDate')) this.people.born(id, birthDateOf(text));
    for (const text of COUNTRIES.flatMap(texts)) this.people.of(id, text);
    const topics = texts('topics');
    if (topics.includes('role.rca')) this.called.set(id, 'relative');
    if (!topics.includes('role.pep')) return;
    this.called.set(id, 'level_2');
    const country = alpha2Of(texts('country')[0] ?? '') ?? null;
    const held = texts('position').map(
      (title) => ({ title, country, level: 'level_2', from: null, to: null }) as const,
    );
    if (held.length > 0) this.named.set(id, held);
  }
}

/** Lines of FollowTheMoney: what is sanctioned or watched, or who holds offices, with the links between them. */
export const readFollowTheMoney = async (file: SourceFile, kind: ScreeningKind): Promise<ReadList> => {
  const [things, holders] = [new FtmThings(), new OfficeHolders()];
  let lastSeen = '';
  for await (const line of linesOf(file)) {
    const entity = ftmEntityOf(line, file.name);
    if (entity.lastSeen > lastSeen) lastSeen = entity.lastSeen;
    things.add(entity);
    if (kind === 'pep') holders.add(entity);
  }
  const entries =
    kind === 'sanctions'
      ? things.entries()
      : holders.entries().map((entry) => ({ ...entry, ...things.detailsOf(entry.id) }));
  return { entries, publishedOn: isoDay(lastSeen) ?? null };
};
