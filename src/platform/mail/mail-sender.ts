import { Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Contacts } from '../../kernel/contacts.js';
import { type Config } from '../config/config.js';
import { LOGGER, type Logger } from '../../observability/logging.js';
import { Periodic } from '../periodic/periodic.js';
import { CONFIG } from '../tokens.js';
import { type DueNotice, StoredNotices } from './stored-notices.js';
import { type Deliver, type Letter } from './transport.js';

const MAX_A_ROUND = 20;
/** Seconds until another process may take a notice that was taken. Longer than the mail server may take. */
const HELD_FOR_S = 600;
/** Seconds before the second attempt. Each later pause is twice as long, so the last attempt comes after some two days. */
const FIRST_PAUSE_S = 30;
const ATTEMPTS = 13;
const FORGOTTEN_AFTER_DAYS = 35;

/** Neither the library's text nor the server's, since both may repeat the address. */
const codeOf = (error: unknown): string => {
  const { code, responseCode, name } = error as Error & { readonly code?: unknown; readonly responseCode?: unknown };
  const codes = [code, responseCode].filter((part) => typeof part === 'string' || typeof part === 'number').join(' ');
  return codes === '' ? name : codes;
};

/** Sends noted mail, once each as far as the mail server's answers show. */
@Injectable()
export class MailSender {
  private delivery: Promise<Deliver> | undefined;

  constructor(
    private readonly notices: StoredNotices,
    private readonly modules: ModuleRef,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Periodic({ every: 2_000, role: 'jobs', alone: true })
  async send(signal: AbortSignal): Promise<void> {
    for (let sent = 0; sent < MAX_A_ROUND && !signal.aborted; sent += 1) {
      const notice = await this.notices.next(HELD_FOR_S);
      if (notice === undefined) return;
      await this.sendOne(notice);
    }
  }

  @Periodic({ every: 3_600_000, role: 'jobs', alone: true })
  forget(): Promise<void> {
    return this.notices.forget(FORGOTTEN_AFTER_DAYS);
  }

  /** The first letter loads the mail library, since most processes send none. */
  private async deliver(letter: Letter): Promise<void> {
    this.delivery ??= import('./transport.js').then(({ deliveryOf }) => deliveryOf(this.config));
    await (
      await this.delivery
    )(letter);
  }

  private async sendOne({ id, tenantId, memberId, subject, text, attempts }: DueNotice): Promise<void> {
    try {
      // The accounts slice provides it, and the platform cannot import a slice.
      const recipient = await this.modules.get(Contacts, { strict: false }).recipientOf(tenantId, memberId);
      if (recipient === null) {
        await this.notices.failed(id, 'no address', undefined);
        return;
      }
      const { address: to, link } = recipient;
      await this.deliver({ id, to, subject, text: text.replace('{link}', link) });
    } catch (error) {
      const again = attempts + 1 < ATTEMPTS ? FIRST_PAUSE_S * 2 ** attempts : undefined;
      this.logger.warn({ tenantId, code: codeOf(error), again }, 'a mail could not be sent');
      return this.notices.failed(id, codeOf(error), again);
    }
    await this.notices.sent(id);
  }
}
