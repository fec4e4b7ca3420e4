import { bytea, metadataIn } from '../log/heads.js';
import { revisionFromSql, placeToSql, TOMBSTONED } from '../log/revision.js';
import { Session, type Row } from '../postgres/session.js';
import { cutRow } from './plan.js';

export interface ScavengeProgress {
  /** Number of examined streams with metadata or a tombstone. */
  readonly streams: number;
  readonly of: number;
  readonly rowsRemoved: number;
  /** Rows that lost their first events. */
  readonly rowsCut: number;
}

/** A scavenge may take long, but a single statement may not hang forever. */
const TIMEOUT_MS = 60_000;
const STREAMS_A_PAGE = 500;
const ROWS_A_STATEMENT = 5_000;

const COUNT = {
  name: 'scavenge-count',
  text: `SELECT (SELECT count(*) FROM event_store.streams WHERE name >= '$$' AND name < '$%')
    + (SELECT count(*) FROM event_store.writes WHERE revision = 9223372036854775807)`,
};

/** Streams that have metadata, each with the ends of both streams. */
const WITH_METADATA = {
  name: 'scavenge-streams',
  text: `SELECT m.id, meta.revision, meta.frames, o.id, last.revision
    FROM event_store.streams m
    LEFT JOIN event_store.streams o ON o.name = substr(m.name, 3)
    JOIN LATERAL (SELECT revision, frames FROM event_store.writes WHERE stream = m.id ORDER BY revision DESC LIMIT 1) meta ON true
    LEFT JOIN LATERAL (SELECT revision FROM event_store.writes WHERE stream = o.id ORDER BY revision DESC LIMIT 1) last ON true
    WHERE m.name >= '$$' AND m.name < '$%' AND m.id > $1 ORDER BY m.id LIMIT ${STREAMS_A_PAGE}`,
};

const TOMBSTONES = {
  name: 'scavenge-tombstones',
  text: `SELECT stream FROM event_store.writes WHERE revision = 9223372036854775807 AND stream > $1
    ORDER BY stream LIMIT ${STREAMS_A_PAGE}`,
};

const REMOVE = {
  name: 'scavenge-remove',
  text: `DELETE FROM event_store.writes WHERE position IN (
      SELECT position FROM event_store.writes
      WHERE stream = $1 AND revision < $2 AND (revision < $3 OR created_at < $4) ORDER BY revision LIMIT ${ROWS_A_STATEMENT}
    ) RETURNING position`,
};

const CONTAINING = {
  name: 'scavenge-containing',
  text: `SELECT position, revision, events, frames FROM event_store.writes
    WHERE stream = $1 AND revision >= $2 ORDER BY revision LIMIT 1`,
};

const CUT = {
  name: 'scavenge-cut',
  text: `UPDATE event_store.writes SET frames = $2, events = $3 WHERE position = $1`,
};

/**
 * Removes events from disk that readers no longer see by $maxCount, $maxAge, $tb, deletion or a newer metadata event. A
 * stream's last event always stays, since it holds the revision. Positions do not change. It is safe beside a running node.
 */
export async function scavenge(
  databaseUrl: string,
  report: (progress: ScavengeProgress) => void,
): Promise<ScavengeProgress> {
  const session = await Session.open(databaseUrl, 2_000);
  try {
    // The next scavenge removes rows that a crash brings back. Without the synchronous commit, appends keep the disk.
    await session.run('SET synchronous_commit = off', TIMEOUT_MS);
    const run = new Scavenge(session, report);
    await run.start();
    await run.streamsWithMetadata();
    await run.tombstonedStreams();
    const { rowsRemoved, rowsCut } = run.progress;
    if (rowsRemoved + rowsCut > 0) await session.run('VACUUM event_store.writes', 3_600_000);
    return run.progress;
  } finally {
    await session.close();
  }
}

class Scavenge {
  progress: ScavengeProgress = { streams: 0, of: 0, rowsRemoved: 0, rowsCut: 0 };

  constructor(
    private readonly session: Session,
    private readonly report: (progress: ScavengeProgress) => void,
  ) {}

  async start(): Promise<void> {
    const [row] = await this.session.query(COUNT, [], TIMEOUT_MS);
    this.progress = { ...this.progress, of: Number(row?.[0]) };
  }

  async streamsWithMetadata(): Promise<void> {
    let after = 0;
    for (;;) {
      const page = await this.session.query(WITH_METADATA, [after], TIMEOUT_MS);
      for (const row of page) {
        await this.streamWithMetadata(row);
        after = Number(row[0]);
      }
      this.advance(page.length);
      if (page.length < STREAMS_A_PAGE) return;
    }
  }

  async tombstonedStreams(): Promise<void> {
    let after = 0;
    for (;;) {
      const page = await this.session.query(TOMBSTONES, [after], TIMEOUT_MS);
      for (const [stream] of page) {
        after = Number(stream);
        await this.removeRows(after, TOMBSTONED, TOMBSTONED, 0);
      }
      this.advance(page.length);
      if (page.length < STREAMS_A_PAGE) return;
    }
  }

  private async streamWithMetadata([metaId, metaRevision, metaFrames, streamId, lastRevision]: Row): Promise<void> {
    const newest = revisionFromSql(metaRevision ?? '');
    // A tombstone leaves no metadata. `tombstonedStreams` handles it.
    if (newest === TOMBSTONED) return;
    await this.cut(Number(metaId), newest, newest, 0);
    const metadata = metadataIn(bytea(metaFrames ?? ''));
    if (streamId === null || streamId === undefined || metadata === undefined) return;
    const last = revisionFromSql(lastRevision ?? '');
    if (last === TOMBSTONED) return;
    const { truncateBefore = 0, maxCount = 0, maxAge = 0 } = metadata;
    const from = Math.min(last, Math.max(truncateBefore, maxCount > 0 ? last - maxCount + 1 : 0));
    await this.cut(Number(streamId), last, from, maxAge > 0 ? Date.now() - maxAge * 1_000 : 0);
  }

  private async cut(streamId: number, last: number, from: number, createdAfter: number): Promise<void> {
    await this.removeRows(streamId, last, from, createdAfter);
    await this.cutContainingRow(streamId, from);
  }

  private async removeRows(streamId: number, last: number, from: number, createdAfter: number): Promise<void> {
    const bounds = [streamId, placeToSql(last), placeToSql(from), Math.floor(createdAfter)];
    for (;;) {
      const removed = await this.session.query(REMOVE, bounds, TIMEOUT_MS);
      this.progress = { ...this.progress, rowsRemoved: this.progress.rowsRemoved + removed.length };
      if (removed.length < ROWS_A_STATEMENT) return;
    }
  }

  private async cutContainingRow(streamId: number, from: number): Promise<void> {
    const [row] = await this.session.query(CONTAINING, [streamId, from], TIMEOUT_MS);
    if (row === undefined) return;
    const [position, revision, events, frames] = row;
    const remainder = cutRow({ revision: Number(revision), events: Number(events), frames: bytea(frames ?? '') }, from);
    if (remainder.kind !== 'end') return;
    await this.session.query(CUT, [position, remainder.frames, remainder.events], TIMEOUT_MS);
    this.progress = { ...this.progress, rowsCut: this.progress.rowsCut + 1 };
  }

  private advance(streams: number): void {
    this.progress = { ...this.progress, streams: this.progress.streams + streams };
    this.report(this.progress);
  }
}
