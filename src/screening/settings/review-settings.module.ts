import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { ReviewRules } from '../../kernel/review-rules.js';
import { ReviewSettingsDesk } from './review-settings-desk.js';

/** How accounts are screened for and review. */
@Module({
  imports: [AuditModule],
  providers: [
    ReviewSettingsDesk,
    {
      provide: ReviewRules,
      inject: [ReviewSettingsDesk],
      useFactory: (desk: ReviewSettingsDesk): ReviewRules => ({
        erasureNeedsTwo: async (tenantId) => (await desk.of(tenantId)).fourEyesErasure,
      }),
    },
  ],
  exports: [ReviewSettingsDesk, ReviewRules],
})
export class ReviewSettingsModule {}
