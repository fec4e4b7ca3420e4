import { type AuditAction } from '../../../src/kernel/contract.js';
import { auditEntryOf } from '../../../src/identity/identity.handler.js';
import { type IdentityEvent } from '../../../src/identity/domain/identity.events.js';
import { type IngestionEvent } from '../../../src/identity/domain/ingestion.events.js';
import { type KeyedIngestion } from '../load/identity-traffic.js';

/** An event of one tenant's ingestions and identities, with its place in the log. */
export interface Recorded {
  readonly id: string;
  readonly stream: string;
  readonly position: bigint;
  readonly event: IngestionEvent | IdentityEvent;
}

export interface LifecycleEvidence {
  readonly keyedIngestions: readonly KeyedIngestion[];
  /** In the order of the log. */
  readonly recorded: readonly Recorded[];
  readonly presentKeys: ReadonlySet<string>;
  readonly destroyedKeys: ReadonlySet<string>;
  /** The actions of the tenant's audit log, by entry id. */
  readonly audited: ReadonlyMap<string, AuditAction>;
}

const byStream = (recorded: readonly Recorded[], category: string): Map<string, Recorded[]> => {
  const streams = new Map<string, Recorded[]>();
  for (const one of recorded) {
    if (!one.stream.startsWith(`${category}-`)) continue;
    streams.set(one.stream, [...(streams.get(one.stream) ?? []), one]);
  }
  return streams;
};

type AttestedEvent = Extract<IdentityEvent, { type: 'IdentityIngested.v1' | 'IdentityUpdated.v1' }>;
const isAttested = (event: Recorded['event']): event is AttestedEvent =>
  event.type === 'IdentityIngested.v1' || event.type === 'IdentityUpdated.v1';

/** Every ingestion is accepted and then ends once, and once more for each retry. */
const endsOnce = (recorded: readonly Recorded[]): string[] =>
  [...byStream(recorded, 'ingestion')].flatMap(([stream, events]) => {
    let open = false;
    let accepted = 0;
    const wrong: string[] = [];
    for (const { event } of events) {
      if (event.type === 'IngestionAccepted.v1') accepted += 1;
      if (event.type === 'IngestionAccepted.v1' || event.type === 'IngestionRetried.v1') {
        if (open) wrong.push(`${stream} is accepted again before its end`);
        open = true;
      }
      if (event.type === 'IngestionCompleted.v1' || event.type === 'IngestionFailed.v1') {
        if (!open) wrong.push(`${stream} ended twice`);
        open = false;
      }
    }
    if (open) wrong.push(`${stream} never ended`);
    return accepted === 1 ? wrong : [...wrong, `${stream} was accepted ${accepted} times`];
  });

/** Every requested ingestion has one acceptance, with the id of its responses. */
const acceptedOnce = ({ keyedIngestions, recorded }: LifecycleEvidence): string[] => {
  const accepted = new Set(
    recorded.flatMap(({ event }) => (event.type === 'IngestionAccepted.v1' ? [event.data.ingestionId] : [])),
  );
  const wrong = keyedIngestions.flatMap(({ path, ids, status }) => {
    if (status !== 202) return [`a keyed ${path} had no final answer`];
    return ids.size === 1 && [...ids].every((id) => accepted.has(id)) ? [] : [`${[...ids].join()} is not in the log`];
  });
  const known = new Set(keyedIngestions.flatMap(({ ids }) => [...ids]));
  return [...wrong, ...[...accepted].filter((id) => !known.has(id)).map((id) => `${id} was accepted beside its key`)];
};

/** The records of an identity follow the order of their acceptances, and each counts once. */
const inOrder = (recorded: readonly Recorded[]): string[] => {
  const acceptedAt = new Map(
    recorded.flatMap(({ event, position }) =>
      event.type === 'IngestionAccepted.v1' ? [[event.data.ingestionId, position] as const] : [],
    ),
  );
  return [...byStream(recorded, 'identity')].flatMap(([stream, events]) => {
    const wrong: string[] = [];
    let last = { position: -1n, recordIndex: -1 };
    for (const { event } of events) {
      if (!isAttested(event)) continue;
      const { ingestionId, recordIndex } = event.data;
      const position = BigInt(event.data.acceptedPosition);
      if (acceptedAt.get(ingestionId) !== position) wrong.push(`${stream} misplaces ingestion ${ingestionId}`);
      if (position < last.position || (position === last.position && recordIndex <= last.recordIndex)) {
        wrong.push(`${stream} applied ${ingestionId} after a newer record, or twice`);
      }
      last = { position, recordIndex };
    }
    return wrong;
  });
};

/** The identity's stream holds the applied record of a completed single ingestion. */
const completedIsApplied = (recorded: readonly Recorded[]): string[] => {
  const applied = new Set(recorded.flatMap(({ event }) => (isAttested(event) ? [event.data.ingestionId] : [])));
  return recorded.flatMap(({ event }) =>
    event.type === 'IngestionCompleted.v1' &&
    event.data.recordsProcessed > event.data.recordsSuperseded &&
    !applied.has(event.data.ingestionId)
      ? [`${event.data.ingestionId} completed without a trace`]
      : [],
  );
};

/** Each erasure decision has one certificate. Before the certificate nothing else happens to the identity. */
const erasedOnce = ({ recorded, audited }: LifecycleEvidence): string[] => {
  let erasures = 0;
  const wrong = [...byStream(recorded, 'identity')].flatMap(([stream, events]) => {
    const found: string[] = [];
    let erasing = false;
    for (const { event } of events) {
      if (event.type === 'IdentityErased.v1') {
        erasures += 1;
        if (!erasing) found.push(`${stream} was erased twice, or without a decision`);
        if (event.data.certificate.split('.').length !== 3) found.push(`${stream} has no certificate`);
        erasing = false;
      } else if (erasing) found.push(`${stream} changed by ${event.type} while it was erased`);
      else erasing = event.type === 'IdentityErasureDecided.v1';
    }
    return erasing ? [...found, `${stream} was never erased wholly`] : found;
  });
  const entries = [...audited.values()].filter((action) => action === 'identity_erased').length;
  return entries === erasures ? wrong : [...wrong, `${erasures} erasures have ${entries} audit entries`];
};

/** No deletion or restoration lacks its audit entry. */
const changesAudited = ({ recorded, audited }: LifecycleEvidence): string[] =>
  recorded
    .filter(({ event }) => event.type === 'IdentityDeleted.v1' || event.type === 'IdentityRestored.v1')
    .filter(({ id }) => !audited.has(auditEntryOf(id)))
    .map(({ stream, event }) => `${stream} has no audit entry of ${event.type}`);

/** After its destruction a key is missing from the table and from all later envelopes. */
const keysStayDestroyed = ({ recorded, presentKeys, destroyedKeys }: LifecycleEvidence): string[] => {
  const wrong: string[] = [];
  const doomed = new Set<string>();
  for (const { stream, event } of recorded) {
    if (event.type === 'IdentityErasureDecided.v1') for (const id of event.data.dataKeyIds) doomed.add(id);
    if (isAttested(event) && doomed.has(event.data.personal.key)) wrong.push(`${stream} uses a destroyed key again`);
  }
  for (const id of doomed) {
    if (presentKeys.has(id)) wrong.push(`key ${id} is back`);
    if (!destroyedKeys.has(id)) wrong.push(`key ${id} is not remembered as destroyed`);
  }
  return [...wrong, ...[...destroyedKeys].filter((id) => presentKeys.has(id)).map((id) => `key ${id} is there again`)];
};

/** Tells whether every ingestion and erasure has ended. Violations that remain then are final. */
export const isSettled = ({ recorded }: Pick<LifecycleEvidence, 'recorded'>): boolean => {
  const last = (stream: string, types: readonly string[]): string | undefined =>
    recorded.findLast((one) => one.stream === stream && types.includes(one.event.type))?.event.type;
  const ingestions = [...byStream(recorded, 'ingestion').keys()].every((stream) =>
    ['IngestionCompleted.v1', 'IngestionFailed.v1'].includes(
      last(stream, [
        'IngestionAccepted.v1',
        'IngestionRetried.v1',
        'IngestionCompleted.v1',
        'IngestionFailed.v1',
      ]) as string,
    ),
  );
  const lives = ['IdentityDeleted.v1', 'IdentityRestored.v1', 'IdentityErasureDecided.v1', 'IdentityErased.v1'];
  const identities = [...byStream(recorded, 'identity').keys()].every(
    (stream) => !['IdentityDeleted.v1', 'IdentityErasureDecided.v1'].includes(last(stream, lives) ?? ''),
  );
  return ingestions && identities;
};

/** The violations in the lives of identities and ingestions, in words. Empty where every rule holds. */
export const lifecycleViolations = (evidence: LifecycleEvidence): string[] => [
  ...endsOnce(evidence.recorded),
  ...acceptedOnce(evidence),
  ...inOrder(evidence.recorded),
  ...completedIsApplied(evidence.recorded),
  ...erasedOnce(evidence),
  ...changesAudited(evidence),
  ...keysStayDestroyed(evidence),
];
