import { type Snapshot, Snapshots } from '../../src/log/append/snapshots.js';

/** Snapshots in memory, stored as JSON. */
export class MemorySnapshots extends Snapshots {
  readonly saved = new Map<string, Snapshot & { readonly version: string }>();
  loads = 0;

  load(stream: string, version: string): Promise<Snapshot | undefined> {
    this.loads += 1;
    const found = this.saved.get(stream);
    return Promise.resolve(found?.version === version ? found : undefined);
  }

  save(stream: string, version: string, revision: bigint, state: unknown): Promise<void> {
    this.saved.set(stream, { version, revision, state: JSON.parse(JSON.stringify(state)) as unknown });
    return Promise.resolve();
  }

  discard(stream: string): Promise<void> {
    this.saved.delete(stream);
    return Promise.resolve();
  }
}
