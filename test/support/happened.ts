import { type NewEvent } from '../../src/kernel/events.js';
import { newUuid } from '../../src/kernel/ids.js';

/** An event that no slice knows, for tests of the event store. */
export const happened = (value: unknown, type = 'Happened.v1'): NewEvent => ({
  id: newUuid(),
  type,
  data: { value },
  metadata: {
    $correlationId: 'c',
    actor: { type: 'system', id: 's' },
    time: '2026-01-01T00:00:00.000Z',
    schemaVersion: 1,
  },
});
