import { type AuditEntries } from '../../kernel/access.js';
import { type StoredEvent, tenantOfStream } from '../../kernel/events.js';
import { uuidHex } from '../../kernel/ids.js';

/** A person at one tenant, or a hash of e-mail and phone, which is equal across tenants. */
export interface WantedPerson {
  /** `idn_` and 32 hexadecimal digits. */
  readonly identityId?: string | undefined;
  readonly identityHash?: string | undefined;
}

/** What a replay shows; a filter that is absent lets every event through. */
export interface ReplayFilter {
  readonly tenant?: string | undefined;
  /** Inclusive, by the appender's clock. */
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly to?: Date | undefined;
  /** The actor's hashed or opaque id. */
  readonly actor?: string | undefined;
  /** A request, and everything that its events caused. */
  readonly request?: string | undefined;
  /** A person's identity, and everything that touched it. */
  readonly person?: WantedPerson | undefined;
  /** The UUID of a credential. */
  readonly credential?: string | undefined;
  readonly action?: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

const mentionsAny = (value: unknown, wanted: ReadonlySet<string>): boolean =>
  typeof value === 'string'
    ? wanted.has(value)
    : isObject(value) && Object.values(value).some((field) => mentionsAny(field, wanted));

/** A text of the event's data; '' where it has none of this name. */
export const fieldOf = (data: unknown, name: string): string => {
  const field = isObject(data) ? data[name] : undefined;
  return typeof field === 'string' ? field : '';
};

/** Finds the events of one thing: those that name it, and the later ones of streams that were named with it. */
class Thread {
  private readonly names: ReadonlySet<string>;
  /** Of one identity, ingestion, credential or claim, never of a whole tenant. */
  private readonly streams = new Set<string>();

  constructor(
    names: readonly (string | undefined)[],
    private readonly streamEnd: string | undefined,
  ) {
    this.names = new Set(names.filter((name) => name !== undefined));
  }

  has({ stream, data }: StoredEvent): boolean {
    const isNamed =
      mentionsAny(data, this.names) || (this.streamEnd !== undefined && stream.endsWith(`_${this.streamEnd}`));
    if (isNamed && stream.includes('_')) this.streams.add(stream);
    return isNamed || this.streams.has(stream);
  }
}

/** Ids that are remembered at once. A caller may send any number of requests under one request id. */
const MAX_KNOWN = 200_000;

/** Ids by which later events of the log name what this one began. */
const BEGUN = ['deductionId', 'chargeId'] as const;

/** What a request caused, however late and by whichever process, as long as it is among the last MAX_KNOWN ids. */
class Causes {
  private readonly known = new Set<string>();

  constructor(private readonly request: string) {}

  has({ id, metadata, data }: StoredEvent): boolean {
    const { $correlationId, $causationId } = metadata;
    const caused =
      $correlationId === this.request ||
      fieldOf(data, 'requestId') === this.request ||
      ($causationId !== undefined && this.known.has($causationId)) ||
      (this.known.size > 0 && mentionsAny(data, this.known));
    if (caused) for (const begun of [id, ...BEGUN.map((name) => fieldOf(data, name))]) this.known.add(begun);
    this.known.delete('');
    for (const oldest of this.known) {
      if (this.known.size <= MAX_KNOWN) break;
      this.known.delete(oldest);
    }
    return caused;
  }
}

const personThread = (person: WantedPerson): Thread =>
  new Thread([person.identityId, person.identityHash], person.identityId?.slice('idn_'.length));

const credentialThread = (id: string): Thread => new Thread([id, `urn:uuid:${id}`], uuidHex(id));

/**
 * Chooses events in the log's order. It must see every event, since what follows from an earlier one is known by it.
 * `entries` opens the sealed entries of the audit log, to find those that touch a person.
 */
export class ReplaySelection {
  private readonly causes: Causes | undefined;
  private readonly person: Thread | undefined;
  private readonly credential: Thread | undefined;

  constructor(
    private readonly filter: ReplayFilter,
    private readonly entries: Pick<AuditEntries, 'openAll'>,
  ) {
    const { request, person, credential } = filter;
    this.causes = request === undefined ? undefined : new Causes(request);
    this.person = person && personThread(person);
    this.credential = credential === undefined ? undefined : credentialThread(credential);
  }

  async takes(event: StoredEvent): Promise<boolean> {
    const isCaused = this.causes?.has(event) ?? true;
    const isOfCredential = this.credential?.has(event) ?? true;
    const touches = this.person?.has(event) ?? true;
    if (!isCaused || !isOfCredential || !this.isWithin(event)) return false;
    return touches || this.isRecordedAccess(event);
  }

  private isWithin({ stream, data, metadata }: StoredEvent): boolean {
    const { tenant, from, to, actor, action } = this.filter;
    const time = new Date(metadata.time);
    return (
      (tenant === undefined ||
        tenantOfStream(stream) === tenant ||
        fieldOf(data, 'tenantId') === tenant ||
        tenantOfStream(fieldOf(data, 'stream')) === tenant) &&
      (from === undefined || time >= from) &&
      (to === undefined || time < to) &&
      (actor === undefined || metadata.actor.id === actor) &&
      (action === undefined || fieldOf(data, 'action') === action)
    );
  }

  /** Whether it holds an entry of the audit log that touches the person. */
  private async isRecordedAccess(event: StoredEvent): Promise<boolean> {
    const hash = this.filter.person?.identityHash;
    if (hash === undefined) return false;
    return (await this.entries.openAll(event)).some(({ identityHash }) => identityHash === hash);
  }
}
