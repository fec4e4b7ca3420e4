import { type Announcer } from '../kernel/announcement.js';
import { type Recorded } from '../kernel/events.js';
import { ACCOUNT_STREAM_PREFIX, type AccountDistrusted, type AccountTrusted } from './domain/account.events.js';

type Judged = AccountDistrusted | AccountTrusted;

/** Tells an account whether what it attests counts. */
export const accountAnnouncer: Announcer = {
  streamPrefixes: [ACCOUNT_STREAM_PREFIX],
  eventTypes: ['AccountDistrusted.v1', 'AccountTrusted.v1'] satisfies readonly Judged['type'][],
  announce: (stored) => {
    const event = stored as Recorded<Judged>;
    return event.type === 'AccountDistrusted.v1'
      ? [{ type: 'account.distrusted', data: { distrusted_at: event.data.distrustedAt } }]
      : [{ type: 'account.trusted', data: { trusted_at: event.data.trustedAt } }];
  },
};
