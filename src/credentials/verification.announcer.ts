import { CREDITS_STREAM_PREFIX, type OperationCharged } from '../credits/domain/credits.events.js';
import { type Announcement, type Announcer } from '../kernel/announcement.js';
import { type StoredEvent } from '../kernel/events.js';

/** verification.completed and verification.failed, to the tenant that asked. The charge of a verification is its record. */
export const verificationAnnouncer: Announcer = {
  streamPrefixes: [CREDITS_STREAM_PREFIX],
  eventTypes: ['OperationCharged.v1'] satisfies readonly OperationCharged['type'][],
  announce: (event: StoredEvent): readonly Announcement[] => {
    const { operation, result, chargeId, requestId } = event.data as OperationCharged['data'];
    if (operation !== 'verify_credential') return [];
    const valid = result === 'valid';
    const data = { verification_id: chargeId, valid, request_id: requestId, verified_at: event.metadata.time };
    return [{ type: valid ? 'verification.completed' : 'verification.failed', data }];
  },
};
