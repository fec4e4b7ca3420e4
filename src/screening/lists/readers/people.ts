import { type BirthDate, type ListedName, type ListEntry } from '../../domain/list-entry.js';
import { type PepLevel, type Position, type Relative } from '../../domain/screening-list.js';
import { countriesNamed } from '../../matching/countries.js';
import { highestLevel } from './pep-levels.js';

interface Person {
  readonly names: ListedName[];
  readonly birthDates: BirthDate[];
  readonly countries: Set<string>;
  readonly positions: Position[];
  readonly ties: Tie[];
}

interface Tie {
  readonly other: string;
  readonly relationship: string;
  readonly kind: 'relative' | 'associate';
}

/** Office holders and those close to them, gathered from tables in any order. */
export class People {
  private readonly people = new Map<string, Person>();

  name(id: string, text: string, weak = false): void {
    const { names } = this.person(id);
    if (text !== '' && !names.some((known) => known.text === text)) names.push({ text, weak });
  }

  born(id: string, date: BirthDate | undefined): void {
    const { birthDates } = this.person(id);
    if (date !== undefined && !birthDates.some(({ text }) => text === date.text)) birthDates.push(date);
  }

  of(id: string, country: string): void {
    for (const code of countriesNamed(country)) this.person(id).countries.add(code);
  }

  holds(id: string, position: Position): void {
    const { positions, countries } = this.person(id);
    positions.push(position);
    if (position.country !== null) countries.add(position.country);
  }

  /** `id` has `other` as this: `child` says that the other is the child. */
  tie(id: string, other: string, relationship: string, kind: 'relative' | 'associate'): void {
    this.person(id).ties.push({ other, relationship, kind });
    this.person(other).ties.push({ other: id, relationship: `${relationship} (of)`, kind });
  }

  /** Who holds an office, and who is close to them. `fallback`: of people whose office is not said. */
  entries(fallback: (id: string) => PepLevel | undefined = () => undefined): ListEntry[] {
    return [...this.people].flatMap(([id, person]) => {
      const relatives = person.ties.flatMap((tie) => this.relative(tie) ?? []);
      const level = highestLevel(person.positions) ?? this.levelByTies(person) ?? fallback(id);
      if (level === undefined || person.names.length === 0) return [];
      return [
        {
          id,
          type: 'individual' as const,
          names: person.names,
          birthDates: person.birthDates,
          countries: [...person.countries],
          programs: [],
          listedOn: null,
          pep: { level, positions: person.positions, relatives },
        },
      ];
    });
  }

  private relative({ other, relationship, kind }: Tie): Relative | undefined {
    const person = this.people.get(other);
    const name = person?.names[0]?.text;
    if (person === undefined || name === undefined) return undefined;
    return { name, relationship, pepLevel: highestLevel(person.positions) ?? kind };
  }

  private levelByTies({ ties }: Person): PepLevel | undefined {
    const kinds = ties
      .filter(({ other }) => (this.people.get(other)?.positions.length ?? 0) > 0)
      .map(({ kind }) => kind);
    return kinds.includes('relative') ? 'relative' : kinds[0];
  }

  private person(id: string): Person {
    const known = this.people.get(id);
    if (known !== undefined) return known;
    const person: Person = { names: [], birthDates: [], countries: new Set(), positions: [], ties: [] };
    this.people.set(id, person);
    return person;
  }
}
