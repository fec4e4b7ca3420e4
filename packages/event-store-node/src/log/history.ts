import { type Comparison } from './decide.js';
import { type Heads } from './heads.js';
import { type Pages } from './pages.js';
import { decodeRecord, frameSpans } from './record.js';
import { type RecentEvent } from './recent-events.js';
import { readableRange } from './readable.js';
import { type History } from './writer.js';

export class StoredHistory implements History {
  constructor(
    private readonly heads: Heads,
    private readonly pages: Pages,
  ) {}

  async compare(
    streamId: number,
    afterRevision: number,
    eventIds: readonly string[],
    find: (eventId: string) => RecentEvent | undefined,
  ): Promise<Comparison> {
    let matching = 0;
    let last: RecentEvent | undefined;
    while (matching < eventIds.length) {
      const recent = find(eventIds[matching] ?? '');
      if (recent === undefined || recent.revision !== afterRevision + 1 + matching) break;
      last = recent;
      matching += 1;
    }
    return matching === eventIds.length ? found(matching, last) : this.compareStored(streamId, afterRevision, eventIds);
  }

  async readable(stream: string, revision: number): Promise<boolean> {
    const { from } = await readableRange({ heads: this.heads, pages: this.pages }, stream);
    return revision >= from;
  }

  private async compareStored(
    streamId: number,
    afterRevision: number,
    eventIds: readonly string[],
  ): Promise<Comparison> {
    let matching = 0;
    let last: RecentEvent | undefined;
    while (matching < eventIds.length) {
      const before = matching;
      // The first different event decides, so a long stream need not be read whole.
      const page = { rows: eventIds.length - matching };
      for (const { frames } of await this.pages.streamFrom(streamId, afterRevision + 1 + matching, 0, page)) {
        for (const span of frameSpans(frames)) {
          const { id, revision, position } = decodeRecord(frames, span);
          if (revision < afterRevision + 1 + matching) continue;
          if (revision !== afterRevision + 1 + matching || id !== eventIds[matching]) return found(matching, last);
          last = { revision, position };
          matching += 1;
        }
      }
      if (matching === before) break;
    }
    return found(matching, last);
  }
}

const found = (matching: number, last: RecentEvent | undefined): Comparison =>
  last === undefined ? { matching } : { matching, last };
