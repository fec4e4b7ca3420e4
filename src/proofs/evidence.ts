import { createHash, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import {
  BUNDLE,
  BUNDLE_FORMAT,
  type BundleCheckpoints,
  type BundledEvent,
  type BundleManifest,
  manifestNote,
  readableLine,
  Streams,
} from '@kyc/log-proofs/bundle';
import { signNote } from '@kyc/log-proofs/checkpoint';
import { type LoggedEvent } from '@kyc/log-proofs/leaf';
import { consistencyProof, type Hash, inclusionProof, type ReadNode } from '@kyc/log-proofs/merkle-tree';
import { writeProof } from '@kyc/log-proofs/proof-file';
import { type Clock } from '../kernel/clock.js';
import { tenantOfStream } from '../kernel/events.js';
import { type TenantId } from '../kernel/ids.js';
import { type KeyedHashes } from '../platform/crypto/vault.js';
import { type EventStore, type LogRecord } from '../platform/eventstore/event-store.js';
import { type Queryable } from '../platform/postgres/database.js';
import { nodesOf } from './tiles.js';
import {
  dailyCheckpoints,
  latestCheckpoint,
  leavesOfEvents,
  originOf,
  type SignedCheckpoint,
  tilesOf,
} from './tree-rows.js';

export interface EvidenceParts {
  readonly store: EventStore;
  readonly clock: Pick<Clock, 'now'>;
  readonly database: Queryable;
  readonly hashes: Pick<KeyedHashes, 'leafSalt'>;
  readonly verifierKeys: () => Promise<readonly string[]>;
  /** The key that signs checkpoints now. */
  readonly signingKey: () => Promise<KeyObject>;
}

export interface EvidenceWanted {
  readonly tenant: TenantId;
  /** Inclusive. */
  readonly from: Date;
  /** Exclusive. */
  readonly to: Date;
  readonly signal: AbortSignal;
}

export interface EvidenceCounts {
  readonly events: number;
  /** Of the tree under which they are proven. */
  readonly size: number;
}

/** The reason why there is nothing to sign: a manifest that left events out would say that all are here. */
export class NoEvidence extends Error {
  override readonly name = 'NoEvidence';
}

/** The program that travels with a bundle. */
const VERIFIER = createRequire(import.meta.url).resolve('@kyc/log-proofs/verifier');
/** Leaves that one statement looks up. */
const PAGE = 500;
/** Nodes' tiles are forgotten after so many proofs, so that memory does not grow with the bundle. */
const SHARED = 5_000;

const timeOf = ({ metadata }: LogRecord): Date =>
  new Date((JSON.parse(Buffer.from(metadata).toString('utf8')) as { readonly time: string }).time);

/**
 * The tenant's events from the first to the last of the period, in the log's order. Events between whose clocks were off
 * are among them, so that no stream has a gap.
 */
async function* eventsOf(store: EventStore, { tenant, from, to, signal }: EvidenceWanted): AsyncGenerator<LogRecord> {
  // Events later than the period, in case that one within it follows.
  let later: LogRecord[] = [];
  let isBegun = false;
  for await (const page of store.readAllRecords(signal))
    for (const event of page) {
      if (tenantOfStream(event.stream) !== tenant) continue;
      const time = timeOf(event);
      isBegun ||= time >= from && time < to;
      if (!isBegun) continue;
      later.push(event);
      if (time >= to) {
        if (later.length > PAGE) return;
        continue;
      }
      yield* later;
      later = [];
    }
}

/** A file of the bundle, with the digest of what it holds. */
class Part {
  private readonly hash = createHash('sha256');
  private readonly file: WriteStream;

  constructor(
    folder: string,
    readonly name: string,
  ) {
    this.file = createWriteStream(join(folder, name), { mode: 0o600 });
  }

  async write(text: string): Promise<void> {
    this.hash.update(text);
    if (!this.file.write(text)) await once(this.file, 'drain');
  }

  /** Resolves with the SHA-256 once everything is written. */
  async end(): Promise<string> {
    this.file.end();
    await finished(this.file);
    return this.hash.digest('hex');
  }
}

const textPart = async (folder: string, name: string, text: string): Promise<readonly [string, string]> => {
  const part = new Part(folder, name);
  await part.write(text);
  return [name, await part.end()];
};

const bundled = (parts: EvidenceParts, event: LoggedEvent, index: number, proof: readonly Hash[]): string => {
  const file = writeProof({ event, salt: parts.hashes.leafSalt(event.id), index, proof, checkpoint: '' });
  const line: BundledEvent = { event: file.event, salt: file.salt, leaf_index: file.leaf_index, hashes: file.hashes };
  return `${JSON.stringify(line)}\n`;
};

/** What is counted while the events are written. */
interface Tally {
  events: number;
  unsigned: number;
  readonly types: Map<string, number>;
  readonly streams: Streams;
}

const writeEvents = async (
  parts: EvidenceParts,
  wanted: EvidenceWanted,
  { epoch, size }: SignedCheckpoint,
  files: { readonly events: Part; readonly entries: Part },
): Promise<Tally> => {
  const tally: Tally = { events: 0, unsigned: 0, types: new Map(), streams: new Streams() };
  let node: ReadNode | undefined;
  for await (const page of inPages(eventsOf(parts.store, wanted))) {
    if (node === undefined || tally.events % SHARED < PAGE) node = nodesOf(tilesOf(parts.database, epoch));
    const leaves = await leavesOfEvents(
      parts.database,
      epoch,
      page.map(({ id }) => id),
    );
    const indexes = new Map(leaves.map(({ eventId, index }) => [eventId, index]));
    for (const event of page) {
      const index = indexes.get(event.id);
      if (index === undefined || index >= size) {
        tally.unsigned += 1;
        continue;
      }
      await files.events.write(bundled(parts, event, index, await inclusionProof(index, size, node)));
      await files.entries.write(`${readableLine(event)}\n`);
      tally.events += 1;
      tally.streams.add(event);
      tally.types.set(event.type, (tally.types.get(event.type) ?? 0) + 1);
    }
  }
  return tally;
};

async function* inPages(events: AsyncIterable<LogRecord>): AsyncGenerator<readonly LogRecord[]> {
  let page: LogRecord[] = [];
  for await (const event of events) {
    page.push(event);
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

const checkpointsFor = async (
  database: Queryable,
  latest: SignedCheckpoint,
  { from, to }: EvidenceWanted,
): Promise<BundleCheckpoints> => {
  const node = nodesOf(tilesOf(database, latest.epoch));
  const earlier: BundleCheckpoints['earlier'][number][] = [];
  for (const { size, note } of await dailyCheckpoints(database, latest, from, to)) {
    const hashes = await consistencyProof(size, latest.size, node);
    earlier.push({ checkpoint: note, hashes: hashes.map((hash) => hash.toString('base64')) });
  }
  return { checkpoint: latest.note, earlier };
};

const readmeOf = ({ tenant, from, to }: EvidenceWanted, latest: SignedCheckpoint, { events, types }: Tally): string =>
  `# Evidence of account ${tenant}

From ${from.toISOString()} until before ${to.toISOString()}: ${events} events of the account, each with the proof that it
stands in the log ${originOf(latest)}, which held ${latest.size} events when it was signed.

| event | count |
|---|---|
${[...types].map(([type, count]) => `| ${type} | ${count} |`).join('\n')}

## Files

- \`entries.ndjson\`: what happened, a line an event, to read. Sealed fields are left out.
- \`events.ndjson\`: the same events as stored, byte for byte, with their proofs.
- \`checkpoints.json\`: the signed checkpoint under which they are proven, and earlier ones with consistency proofs.
- \`keys.json\`: the log's keys, as /transparency/keys answered.
- \`manifest.json\`: what was asked for, how many events each stream has of it, and the SHA-256 of every other file.
- \`manifest.note\`: the log's signature of the manifest.
- \`verify.mjs\`: the verifier, one file for Node 22.

## Verify it

Unpack the archive, and run with Node alone (no service, no database, no network):

    node verify.mjs bundle . --keys KEYS

Whoever gave you the archive gave you this program too: take @kyc/log-proofs from elsewhere if that matters.
Get KEYS from the log's own address, /transparency/keys, or use a copy that you kept. It proves that every event is in the
signed log, that entries.ndjson says what the proven bytes say, that no event of a stream is left out in between, and
that each stream has the events that the log's key signed for it. It does not prove that whatever happened was written to the
log, what sealed fields hold, or that the same key signed nothing else for somebody else: compare checkpoints for that.
`;

const complete = ({ events, unsigned }: Tally, { tenant, signal }: EvidenceWanted): void => {
  if (signal.aborted) throw new NoEvidence('It was interrupted.');
  if (unsigned > 0) throw new NoEvidence(`${unsigned} events of the period are not signed yet: try in a minute.`);
  if (events === 0) throw new NoEvidence(`${tenant} has no events in this period.`);
};

/**
 * Writes the files of an evidence bundle into an empty folder. Throws NoEvidence. Memory does not grow with the bundle.
 */
export const writeEvidence = async (
  parts: EvidenceParts,
  wanted: EvidenceWanted,
  folder: string,
): Promise<EvidenceCounts> => {
  const latest = await latestCheckpoint(parts.database);
  if (latest === undefined)
    throw new NoEvidence('Nothing was signed yet: the tree of the log begins once a service with the role jobs runs.');
  const madeAt = parts.clock.now().toISOString();
  const [events, entries] = [new Part(folder, BUNDLE.events), new Part(folder, BUNDLE.entries)];
  const tally = await writeEvents(parts, wanted, latest, { events, entries });
  complete(tally, wanted);
  const checkpoints = await checkpointsFor(parts.database, latest, wanted);
  const files = Object.fromEntries([
    [BUNDLE.events, await events.end()],
    [BUNDLE.entries, await entries.end()],
    await textPart(folder, BUNDLE.checkpoints, JSON.stringify(checkpoints, null, 2)),
    await textPart(folder, BUNDLE.keys, JSON.stringify({ keys: await parts.verifierKeys() }, null, 2)),
    await textPart(folder, BUNDLE.readme, readmeOf(wanted, latest, tally)),
    await textPart(folder, BUNDLE.verifier, await readFile(VERIFIER, 'utf8')),
  ]);
  const manifest: BundleManifest = {
    format: BUNDLE_FORMAT,
    tenant: wanted.tenant,
    from: wanted.from.toISOString(),
    to: wanted.to.toISOString(),
    madeAt,
    events: tally.events,
    streams: tally.streams.all(),
    files,
  };
  const text = JSON.stringify(manifest, null, 2);
  await textPart(folder, BUNDLE.manifest, text);
  const note = signNote(originOf(latest), manifestNote(text), await parts.signingKey());
  await textPart(folder, BUNDLE.signature, note);
  return { events: tally.events, size: latest.size };
};
