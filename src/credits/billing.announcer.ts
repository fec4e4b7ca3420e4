import { type Announcer, type Announcement } from '../kernel/announcement.js';
import { type Recorded } from '../kernel/events.js';
import {
  type AutoRechargeFailed,
  type AutoRechargeSwitchedOff,
  CREDITS_STREAM_PREFIX,
  type KeyCapReached,
  type LowBalanceReached,
} from './domain/credits.events.js';

type Announced = KeyCapReached | LowBalanceReached | AutoRechargeFailed | AutoRechargeSwitchedOff;

const toAnnouncement = (event: Announced): Announcement => {
  switch (event.type) {
    case 'LowBalanceReached.v1': {
      const { currentBalance, threshold, severity } = event.data;
      return { type: 'billing.low_balance', data: { current_balance: currentBalance, threshold, severity } };
    }
    case 'KeyCapReached.v1': {
      const { keyId, creditsPerDay, spent, day } = event.data;
      return { type: 'key.cap_reached', data: { key_id: keyId, credit_cap_per_day: creditsPerDay, spent, day } };
    }
    case 'AutoRechargeFailed.v1': {
      const { purchaseId, reason, failures, enabled } = event.data;
      return { type: 'billing.auto_recharge_failed', data: { purchase_id: purchaseId, reason, failures, enabled } };
    }
    case 'AutoRechargeSwitchedOff.v1': {
      const data = { purchase_id: null, reason: event.data.reason, failures: null, enabled: false };
      return { type: 'billing.auto_recharge_failed', data };
    }
  }
};

/** What webhooks announce of a credit account. */
export const billingAnnouncer: Announcer = {
  streamPrefixes: [CREDITS_STREAM_PREFIX],
  eventTypes: [
    'KeyCapReached.v1',
    'LowBalanceReached.v1',
    'AutoRechargeFailed.v1',
    'AutoRechargeSwitchedOff.v1',
  ] satisfies Announced['type'][],
  announce: (event) => [toAnnouncement(event as Recorded<Announced>)],
};
