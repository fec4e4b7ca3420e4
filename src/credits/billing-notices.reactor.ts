import { Injectable } from '@nestjs/common';
import { type Recorded, type StoredEvent, tenantOfStream } from '../kernel/events.js';
import { type TenantId } from '../kernel/ids.js';
import { Mailer, type Notice } from '../kernel/mail.js';
import { type Reaction } from '../kernel/reaction.js';
import { Reactor } from '../log/react/reactor.js';
import {
  type AutoRechargeSwitchedOff,
  CREDITS_STREAM_PREFIX,
  type KeyCapReached,
  type LowBalanceReached,
} from './domain/credits.events.js';

type NotifiedEvent = KeyCapReached | LowBalanceReached | AutoRechargeSwitchedOff;

const SWITCHED_OFF = {
  failures: 'Its payment failed three times in a row.',
  dispute: 'A payment of yours is disputed.',
} as const;

const textOf = (event: NotifiedEvent): Pick<Notice, 'subject' | 'text'> => {
  if (event.type === 'AutoRechargeSwitchedOff.v1') {
    const text = `Auto-recharge of your account was switched off. ${SWITCHED_OFF[event.data.reason]}\n
Without it, charged requests are refused once no credits are left. POST /billing/auto-recharge switches it on again.\n`;
    return { subject: 'Auto-recharge was switched off', text };
  }
  if (event.type === 'KeyCapReached.v1') {
    const { keyId, creditsPerDay, spent, day } = event.data;
    const text = `A call with the API key ${keyId} was refused on ${day} (UTC). The key may spend ${creditsPerDay} credits a day, and
spent ${spent}. Until midnight UTC its calls are refused where they would go beyond. PATCH /api/v1/keys/${keyId} raises the cap; if
you did not expect this, DELETE /api/v1/keys/${keyId} revokes the key.\n`;
    return { subject: `The API key ${keyId} reached its cap`, text };
  }
  const { currentBalance, threshold, percentage } = event.data;
  const reached = `Your account has ${currentBalance} credits left. You asked to be told at ${threshold} (${percentage} % of
the balance after your last purchase).\n`;
  const empty = 'Your account has no credits left. Charged requests are refused until you buy more.\n';
  return currentBalance === 0
    ? { subject: 'No credits left', text: empty }
    : { subject: `${currentBalance} credits left`, text: reached };
};

/** Mails what an account's contact should hear of its credits. */
@Reactor({
  name: 'billing-notices',
  version: 1,
  streamPrefixes: [CREDITS_STREAM_PREFIX],
  eventTypes: [
    'KeyCapReached.v1',
    'LowBalanceReached.v1',
    'AutoRechargeSwitchedOff.v1',
  ] satisfies NotifiedEvent['type'][],
  startsAt: 'now',
})
@Injectable()
export class BillingNoticesReactor implements Reaction {
  constructor(private readonly mailer: Mailer) {}

  async handle(event: StoredEvent): Promise<void> {
    const tenantId = tenantOfStream(event.stream) as TenantId;
    await this.mailer.notify({ id: `billing:${event.id}`, tenantId, ...textOf(event as Recorded<NotifiedEvent>) });
  }
}
