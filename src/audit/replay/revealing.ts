import { type AuditEntries } from '../../kernel/access.js';
import { type CategoryRegistry } from '../../kernel/category-registry.js';
import { type StoredEvent, tenantOfStream } from '../../kernel/events.js';
import { ERASED, type Vault } from '../../platform/crypto/vault.js';
import { type Revealed } from './replay-line.js';

/** Stands where a sealed field was destroyed with its key. */
const ERASED_TEXT = '(erased)';

/**
 * Opens what an event seals about people. Secrets of webhook endpoints, and fields within lists, stay sealed: a
 * person's record in a batch is opened at its own identity.
 */
export class Revealing {
  constructor(
    private readonly categories: CategoryRegistry,
    private readonly entries: AuditEntries,
    private readonly vault: Vault,
  ) {}

  /** Throws Unavailable. */
  async open(event: StoredEvent): Promise<Revealed> {
    const fields = new Map<object, unknown>();
    const tenantId = tenantOfStream(event.stream);
    for (const { path, under, envelope } of this.categories.sealedFields(event)) {
      if (under === 'endpoint' || path.includes('[]')) continue;
      const place = { tenantId, stream: event.stream, eventId: event.id, field: path };
      const opened = await this.vault.open(place, envelope);
      fields.set(envelope, opened === ERASED ? ERASED_TEXT : opened);
    }
    const [access] = await this.entries.openAll(event);
    return { fields, access };
  }
}
