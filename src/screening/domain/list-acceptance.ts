import { type Decider } from '../../kernel/decider.js';
import { refuse } from '../../kernel/rejection.js';
import { type ScreeningListAccepted } from './list.events.js';
import { limitsOf } from './known-lists.js';
import { type ListId } from './screening-list.js';

/** What the log says of the versions in force. */
export interface ListsInForce {
  readonly versions: ReadonlyMap<ListId, ScreeningListAccepted['data']>;
}

/** A version of a list that was read, and how it differs from the one in force. */
export interface AcceptList {
  readonly data: Omit<ScreeningListAccepted['data'], 'overridden'>;
  /** An operator takes it whatever its faults. */
  readonly accept: boolean;
}

const percent = (share: number): string => `${Math.round(share * 1_000) / 10} %`;

/** What keeps a version from replacing the one in force. */
export const faultsOf = (
  next: AcceptList['data'],
  present: ScreeningListAccepted['data'] | undefined,
): readonly string[] => {
  if (present === undefined) return [];
  const faults: string[] = [];
  const limits = limitsOf(next.list);
  if (next.publishedOn !== null && present.publishedOn !== null && next.publishedOn < present.publishedOn) {
    faults.push(`it was published on ${next.publishedOn}, before the present one of ${present.publishedOn}`);
  }
  const growth = next.entries / present.entries - 1;
  if (Math.abs(next.entries - present.entries) > limits.growth * present.entries) {
    faults.push(
      `it has ${next.entries} entries instead of ${present.entries} (${percent(growth)}; at most ${percent(limits.growth)})`,
    );
  }
  const change = (next.changed + next.removed) / present.entries;
  if (change > limits.change) {
    faults.push(
      `${next.changed + next.removed} of ${present.entries} entries differ (${percent(change)}; at most ${percent(limits.change)})`,
    );
  }
  return faults;
};

const decide = ({ data, accept }: AcceptList, { versions }: ListsInForce): ScreeningListAccepted[] => {
  const present = versions.get(data.list);
  if (present?.version === data.version) return [];
  if (present !== undefined && present.kind !== data.kind)
    throw refuse('list_refused', { detail: `${data.list} is a list of kind ${present.kind}` });
  // The difference was taken against another version, which was replaced meanwhile.
  if ((present?.version ?? null) !== data.replaces)
    throw refuse('list_refused', { detail: 'Another version came first' });
  const faults = faultsOf(data, present);
  if (faults.length > 0 && !accept) {
    throw refuse('list_refused', {
      detail: `${data.list} was refused: ${faults.join('; ')}; --accept takes it all the same`,
    });
  }
  return [
    {
      type: 'ScreeningListAccepted.v1',
      data: {
        list: data.list,
        kind: data.kind,
        version: data.version,
        replaces: data.replaces,
        publishedOn: data.publishedOn,
        sha256: data.sha256,
        files: data.files.map(({ name, sha256 }) => ({ name, sha256 })),
        readerVersion: data.readerVersion,
        entries: data.entries,
        added: data.added,
        removed: data.removed,
        changed: data.changed,
        overridden: faults,
        justification: data.justification,
        ...(data.unreadDates === undefined ? {} : { unreadDates: data.unreadDates }),
        origin: data.origin,
      },
    },
  ];
};

export const listDecider: Decider<ListsInForce, AcceptList, ScreeningListAccepted> = {
  initialState: () => ({ versions: new Map() }),
  decide,
  evolve: ({ versions }, { data }) => ({ versions: new Map([...versions, [data.list, data]]) }),
};
