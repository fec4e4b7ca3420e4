import { Module } from '@nestjs/common';
import { Mailer } from '../../kernel/mail.js';
import { MailSender } from './mail-sender.js';
import { StoredNotices } from './stored-notices.js';

/** Mail to accounts. A slice that has something to say imports it. */
@Module({
  providers: [StoredNotices, MailSender, { provide: Mailer, useExisting: StoredNotices }],
  exports: [Mailer],
})
export class MailModule {}
