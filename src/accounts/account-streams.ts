import { Injectable } from '@nestjs/common';
import { tenantOfStream } from '../kernel/events.js';
import { type TenantId } from '../kernel/ids.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { Snapshots } from '../platform/eventstore/snapshots.js';
import { SnapshottedStreams, type StreamFold } from '../platform/eventstore/snapshotted-streams.js';
import { type AccountRecord, applyStored, emptyRecord, type SealedText } from './domain/account-record.js';
import { accountStream } from './domain/account.events.js';
import { type Account, type ApiKey } from './domain/account.js';

/** As a snapshot keeps it, texts in their envelopes. A change of it, or of what makes it, takes a new version. */
interface KeptAccount {
  readonly account: Omit<Account, 'keys'>;
  readonly keys: readonly ApiKey[];
  readonly contactEmail: SealedText | null;
  readonly suspensionReason: SealedText | null;
  readonly keyNames: readonly (readonly [string, SealedText])[];
  /** A decimal. */
  readonly revision: string;
}

const emptyRecordOf = (stream: string): AccountRecord => emptyRecord(tenantOfStream(stream) as TenantId);

export const accountFold: StreamFold<AccountRecord> = {
  version: 'account.1',
  initial: emptyRecordOf,
  apply: (record, stored) => {
    applyStored(record, stored);
    return record;
  },
  encode: ({ account: { keys, ...account }, contactEmail, suspensionReason, keyNames, revision }): KeptAccount => ({
    account,
    keys: [...keys.values()],
    contactEmail: contactEmail ?? null,
    suspensionReason: suspensionReason ?? null,
    keyNames: [...keyNames],
    revision: revision.toString(),
  }),
  decode: (stream, kept: KeptAccount) => ({
    ...emptyRecordOf(stream),
    account: { ...kept.account, keys: new Map(kept.keys.map((key) => [key.keyId, key])) },
    contactEmail: kept.contactEmail ?? undefined,
    suspensionReason: kept.suspensionReason ?? undefined,
    keyNames: new Map(kept.keyNames),
    revision: BigInt(kept.revision),
  }),
  isKept: () => true,
};

/** The streams of accounts: what reading one costs does not grow with the changes that it has seen. */
@Injectable()
export class AccountStreams {
  private readonly streams: SnapshottedStreams<AccountRecord>;

  constructor(store: EventStore, snapshots: Snapshots) {
    this.streams = new SnapshottedStreams(store, snapshots, accountFold);
  }

  /** The account as its stream has it now, the caller's own to change. */
  async load(tenantId: TenantId): Promise<AccountRecord> {
    return (await this.streams.load(accountStream(tenantId))).view;
  }
}
