import { type CategoryDescription, type SealedUnder, type Upcaster } from './category.js';
import { type Envelope } from './envelope.js';
import { type StoredEvent } from './events.js';
import { invariant } from './invariant.js';
import { YEARS_KEPT, yearsFrom } from './retention.js';

/** An encrypted field of a stored event. */
export interface SealedField {
  readonly path: string;
  readonly under: SealedUnder;
  readonly envelope: Envelope;
}

type Fields = Readonly<Record<string, unknown>>;

/** The value at `name`, or at `list[].name` in each element. */
const valuesAt = (data: unknown, path: string): readonly unknown[] => {
  const [name = '', ...rest] = path.split('[].');
  const value = (data as Fields)[name];
  if (rest.length === 0) return value === undefined || value === null ? [] : [value];
  return (value as readonly unknown[]).flatMap((element) => valuesAt(element, rest.join('[].')));
};

/** A longer name may begin with a shorter one. If several fit, the caller takes the longest. */
const fits = ({ name }: CategoryDescription, stream: string): boolean =>
  stream === name || stream.startsWith(`${name}-`);

/** All categories of the log: their streams, event versions, personal fields and retention. */
export class CategoryRegistry {
  private readonly byType = new Map<string, CategoryDescription>();
  private readonly upcasters = new Map<string, Upcaster>();

  constructor(readonly categories: readonly CategoryDescription[]) {
    invariant(new Set(categories.map(({ name }) => name)).size === categories.length, 'names of categories are unique');
    for (const category of categories) this.add(category);
    for (const { to } of this.upcasters.values()) {
      invariant(this.byType.has(to) || this.upcasters.has(to), `${to} is a type that events are upcast to`);
    }
  }

  has(category: CategoryDescription): boolean {
    return this.categories.includes(category);
  }

  /** Undefined if the stream belongs to no category. */
  categoryOf(stream: string): CategoryDescription | undefined {
    return this.categories
      .filter((category) => fits(category, stream))
      .reduce<CategoryDescription | undefined>(
        (best, next) => (best !== undefined && best.name.length > next.name.length ? best : next),
        undefined,
      );
  }

  /** Whether any event may be of an earlier version. */
  get hasUpcasters(): boolean {
    return this.upcasters.size > 0;
  }

  /** Every type and version that the log may hold. */
  get types(): ReadonlySet<string> {
    return new Set([...this.byType.keys(), ...this.upcasters.keys()]);
  }

  /** Name prefixes of the streams that may hold sealed fields. */
  get personalPrefixes(): readonly string[] {
    const personal = this.categories.filter(({ events }) =>
      Object.values(events).some((event) => event.personal !== undefined),
    );
    return personal.map(({ name }) => name);
  }

  /** The event in its present version. Returns an event of the present version, or of a newer release, unchanged. */
  upcast(event: StoredEvent): StoredEvent {
    let { type, data } = event;
    let upcaster = this.upcasters.get(type);
    if (upcaster === undefined) return event;
    for (; upcaster !== undefined; upcaster = this.upcasters.get(type)) {
      data = upcaster.upcast(data);
      type = upcaster.to;
    }
    return { ...event, type, data };
  }

  /** These types, and every earlier version that is upcast to one of them. */
  storedTypesOf(types: readonly string[]): readonly string[] {
    const earlier = [...this.upcasters.keys()].filter((type) => types.includes(this.presentTypeOf(type)));
    return [...new Set([...types, ...earlier])];
  }

  /** The encrypted fields of an event in its present version. */
  sealedFields({ type, data }: Pick<StoredEvent, 'type' | 'data'>): readonly SealedField[] {
    const fields = Object.entries(this.byType.get(type)?.events[type]?.personal ?? {});
    return fields.flatMap(([path, under]) =>
      valuesAt(data, path).map((value) => ({ path, under, envelope: value as Envelope })),
    );
  }

  /** Events of the stream that are older than this have passed their retention period. Always the beginning of a UTC day. */
  keptSince(stream: string, now: Date): Date {
    const kept = this.categoryOf(stream)?.kept ?? 'for_good';
    invariant(kept !== 'for_good', `${stream} is of a category whose events go after a time`);
    return new Date(yearsFrom(now, -YEARS_KEPT[kept]).setUTCHours(0, 0, 0, 0));
  }

  private presentTypeOf(type: string): string {
    const upcaster = this.upcasters.get(type);
    return upcaster === undefined ? type : this.presentTypeOf(upcaster.to);
  }

  private add(category: CategoryDescription): void {
    for (const type of Object.keys(category.events)) {
      invariant(!this.byType.has(type), `${type} is an event of one category`);
      this.byType.set(type, category);
    }
    for (const upcaster of category.upcasters ?? []) {
      const { from } = upcaster;
      invariant(!this.byType.has(from) && !this.upcasters.has(from), `${from} is an earlier version, upcast once`);
      this.upcasters.set(from, upcaster);
    }
  }
}
