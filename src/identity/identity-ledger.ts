import { Inject, Injectable } from '@nestjs/common';
import { type Clock } from '../kernel/clock.js';
import { type StoredEvent } from '../kernel/events.js';
import { type TenantId } from '../kernel/ids.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { Snapshots } from '../platform/eventstore/snapshots.js';
import { type LoadedStream, SnapshottedStreams } from '../platform/eventstore/snapshotted-streams.js';
import { CLOCK } from '../platform/tokens.js';
import { type ApplyAttestation, type IdentityCommand } from './domain/identity.commands.js';
import { identityStream } from './domain/identity.events.js';
import { identityDecider, type Identity } from './domain/identity.js';
import { identityFold, type IdentityView, type NotableEvents } from './domain/identity-history.js';
import { type Cause, type Decided, decideOnStream, type Loaded, unread } from './stream-decision.js';

interface Target {
  readonly tenantId: TenantId;
  readonly identityId: string;
}

/** An identity as its stream was read. */
export interface LoadedIdentity extends Loaded<Identity> {
  readonly stream: LoadedStream<IdentityView>;
}

interface Options {
  /** Fixed by the caller where a second attempt has to find the first. */
  readonly firstEventId?: string;
  /** See decideOnStream. */
  readonly repeated?: boolean;
  readonly loaded?: Loaded<Identity>;
  readonly beforehand?: (identity: Identity) => Promise<void>;
}

/** The streams of identities: what reading one costs does not depend on how often the person was ingested. */
@Injectable()
export class IdentityLedger {
  private readonly streams: SnapshottedStreams<IdentityView>;

  constructor(
    private readonly store: EventStore,
    snapshots: Snapshots,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.streams = new SnapshottedStreams(store, snapshots, identityFold);
  }

  async load(tenantId: TenantId, identityId: string): Promise<LoadedIdentity> {
    const stream = await this.streams.load(identityStream(tenantId, identityId));
    const { view, revision, tail } = stream;
    return { state: view.identity, revision: revision === -1n ? 'no_stream' : revision, events: tail, stream };
  }

  /** The event that the identity, as loaded, remembers; undefined where there is none. */
  async notable(
    { tenantId, identityId }: Target,
    { stream }: LoadedIdentity,
    kind: keyof NotableEvents,
  ): Promise<StoredEvent | undefined> {
    const revision = stream.view.at[kind];
    return revision === null ? undefined : this.streams.eventAt(identityStream(tenantId, identityId), stream, revision);
  }

  /** Removes what Postgres remembers of the identity's stream. */
  forget({ tenantId, identityId }: Target): Promise<void> {
    return this.streams.forget(identityStream(tenantId, identityId));
  }

  execute(target: Target, command: IdentityCommand, cause: Cause, options: Options = {}): Promise<Decided<Identity>> {
    const { tenantId, identityId } = target;
    const stream = identityStream(tenantId, identityId);
    const { store, clock } = this;
    const load = () => this.load(tenantId, identityId);
    return decideOnStream({ store, clock, stream, load, decider: identityDecider, command, cause, ...options });
  }

  /**
   * Most people are new to a tenant: the stream is taken not to exist until the append says otherwise, which saves a read.
   * The record's personal part is sealed for `eventId`.
   */
  apply(target: Target, command: ApplyAttestation, cause: Cause, eventId: string): Promise<Decided<Identity>> {
    return this.execute(target, command, cause, { firstEventId: eventId, loaded: unread(identityDecider) });
  }
}
