import { Module } from '@nestjs/common';
import { type Clock } from '../../kernel/clock.js';
import { type Config } from '../../platform/config/config.js';
import { CLOCK, CONFIG } from '../../platform/tokens.js';
import { PaymentConnection } from './connection.js';
import { Payments } from './payments.js';

/** The payment provider. */
@Module({
  providers: [
    {
      provide: PaymentConnection,
      inject: [CONFIG, CLOCK],
      useFactory: (config: Config, clock: Clock) => PaymentConnection.open(config, clock),
    },
    {
      provide: Payments,
      inject: [PaymentConnection],
      useFactory: ({ payments }: PaymentConnection) => payments,
    },
  ],
  exports: [PaymentConnection, Payments],
})
export class PaymentsModule {}
